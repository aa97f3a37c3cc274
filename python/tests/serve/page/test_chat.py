# SPDX-License-Identifier: MIT
"""A chat on the page, in a browser."""

from __future__ import annotations

from ..running_service import Service
from .browser import Browser, Keys
from .shown_models import HOSTILE

# Notes the lengths that an answer has while it is written, and does something when it has begun.
WATCH = """
window.lengths = [];
new MutationObserver(() => {
  const text = document.querySelector('.message.assistant:last-child .text');
  if (!text) return;
  window.lengths.push(text.textContent.length);
  if (text.textContent.length > 0 && !window.begun) { window.begun = true; BEGUN }
}).observe(document.querySelector('.log'), { childList: true, subtree: true });
"""


MESSAGES = """
return [...document.querySelectorAll('.message')].map((each) =>
  [each.getAttribute('aria-label'), each.querySelector('.text').textContent]);
"""
LAST = "document.querySelector('.message.assistant:last-child:not(.writing)')"
ESCAPE = """
document.querySelector('.composer textarea').dispatchEvent(
  new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
"""


def open_chat(browser: Browser, service: Service, **options: str) -> None:
    """Opens the view and sets options by the labels of their fields, with the same seed each time."""
    browser.open(service.url)
    browser.one(".composer textarea")
    browser.one(".settings summary").click()
    for label, value in {"Seed": "7", **{name.replace("_", " "): value for name, value in options.items()}}.items():
        field = browser.labelled(label)
        field.clear()
        field.send_keys(value)
    browser.one(".settings summary").click()


def send(browser: Browser, text: str) -> None:
    browser.one(".composer textarea").send_keys(text, Keys.ENTER)


def wait_for_answer(browser: Browser) -> str:
    done = f"return {LAST} !== null && !document.querySelector('.composer .primary').hidden"
    browser.until(lambda: browser.run(done), "the end of an answer")
    return browser.run(f"return {LAST}.querySelector('.text').textContent")


def messages(browser: Browser) -> list[tuple[str, str]]:
    return [tuple(each) for each in browser.run(MESSAGES)]


def click_first(browser: Browser, message: str, text: str) -> None:
    """Clicks a button of the first of these messages."""
    browser.click(browser.all(message)[0].find_element("xpath", f".//button[text()='{text}']"))


def test_an_answer_is_shown_while_it_is_written(browser: Browser, shown: Service) -> None:
    open_chat(browser, shown)
    browser.run(WATCH.replace("BEGUN", ""))
    send(browser, "hello there")
    answer = wait_for_answer(browser)
    lengths = browser.run("return window.lengths")
    assert len(set(lengths)) > 3 and lengths == sorted(lengths) and len(answer) > 100
    assert messages(browser) == [("You", "hello there"), ("Answer", answer)]
    told = browser.text(".message.assistant .meta")
    assert "ended by the limit of tokens" in told and "tokens/s" in told and "first after" in told
    assert browser.run("return document.getElementById('status').textContent").startswith("Answer: ")


def test_text_stays_text(browser: Browser, shown: Service) -> None:
    open_chat(browser, shown, Temperature="2")
    send(browser, "<b>bold</b><script>document.title = 'owned'</script>")
    answer = wait_for_answer(browser)
    assert HOSTILE in answer and "<script>" in messages(browser)[0][1]
    assert browser.run("return document.querySelectorAll('main :is(img, script, b)').length") == 0
    assert browser.driver.title == "Chat · KuiperInfer"


def test_blocks_of_code(browser: Browser, shown: Service) -> None:
    open_chat(browser, shown, Most_tokens="1")
    for line in ("look", "```c", "if (a < b) {", "}", "```"):
        browser.one(".composer textarea").send_keys(line, Keys.SHIFT, Keys.ENTER, Keys.NULL)
    send(browser, "here")
    wait_for_answer(browser)
    assert browser.text(".message.user pre") == "if (a < b) {\n}"
    assert [each.text for each in browser.all(".message.user p:not(.meta)")] == ["look", "here"]


def stopped(browser: Browser, service: Service, how: str) -> str:
    """Stops an answer as soon as its first piece is there, and returns what there is of it."""

    def cancelled() -> float:
        return service.metric("kuiper_infer_answers_ended_total", model="chatty", reason="cancelled")

    before = cancelled()
    open_chat(browser, service)
    browser.run(WATCH.replace("BEGUN", how))
    send(browser, "hello there")
    answer = wait_for_answer(browser)
    assert "stopped" in browser.text(".message.assistant .meta")
    service.wait(lambda: cancelled() == before + 1)
    return answer


def test_an_answer_is_stopped(browser: Browser, shown: Service) -> None:
    by_button = stopped(browser, shown, "document.querySelector('.stop').click();")
    assert messages(browser)[-1] == ("Answer", by_button)
    by_key = stopped(browser, shown, ESCAPE)
    open_chat(browser, shown)
    send(browser, "hello there")
    whole = wait_for_answer(browser)
    assert 0 < len(by_button) < len(whole) and 0 < len(by_key) < len(whole)
    assert whole.startswith(by_button.strip()) and whole.startswith(by_key.strip())


def test_an_answer_is_asked_for_again(browser: Browser, shown: Service) -> None:
    open_chat(browser, shown)
    send(browser, "one")
    first = wait_for_answer(browser)
    send(browser, "two")
    wait_for_answer(browser)
    click_first(browser, ".message.assistant", "Retry")
    assert wait_for_answer(browser) == first
    assert messages(browser) == [("You", "one"), ("Answer", first)]


def test_a_message_is_edited(browser: Browser, shown: Service) -> None:
    open_chat(browser, shown)
    send(browser, "one")
    first = wait_for_answer(browser)
    send(browser, "two")
    wait_for_answer(browser)
    click_first(browser, ".message.user", "Edit")
    field = browser.one(".edit textarea")
    assert browser.driver.switch_to.active_element == field and field.get_property("value") == "one"
    field.send_keys(" more", Keys.ESCAPE)
    assert messages(browser)[0] == ("You", "one") and len(messages(browser)) == 4
    click_first(browser, ".message.user", "Edit")
    browser.one(".edit textarea").send_keys(" more", Keys.ENTER)
    changed = wait_for_answer(browser)
    assert messages(browser) == [("You", "one more"), ("Answer", changed)] and changed != first


def test_a_conversation_stays_over_a_reload_until_a_new_one_begins(browser: Browser, shown: Service) -> None:
    open_chat(browser, shown)
    send(browser, "one")
    answer = wait_for_answer(browser)
    browser.driver.refresh()
    browser.one(".composer textarea")
    assert messages(browser) == [("You", "one"), ("Answer", answer)]
    browser.button("New chat").click()
    assert messages(browser) == [] and "Ask something" in browser.text(".welcome")


def test_a_new_chat_during_an_answer(browser: Browser, shown: Service) -> None:
    open_chat(browser, shown)
    browser.run(WATCH.replace("BEGUN", "[...document.querySelectorAll('.toolbar button')].at(-1).click();"))
    send(browser, "hello there")
    browser.until(lambda: bool(browser.all(".welcome")), "the new chat")
    send(browser, "another")
    answer = wait_for_answer(browser)
    assert messages(browser) == [("You", "another"), ("Answer", answer)]


def test_errors_are_shown(browser: Browser, shown: Service) -> None:
    open_chat(browser, shown)
    send(browser, "a" * 400)
    wait_for_answer(browser)
    alarm = browser.one(".message .alarm")
    assert "tokens" in alarm.text and alarm.get_attribute("role") == "alert"
    browser.button("Edit").click()
    field = browser.one(".edit textarea")
    field.clear()
    field.send_keys("short", Keys.ENTER)
    assert wait_for_answer(browser) != "" and browser.all(".alarm") == []


def test_a_wrong_option_is_named(browser: Browser, shown: Service) -> None:
    open_chat(browser, shown, Temperature="3")
    send(browser, "hello")
    wait_for_answer(browser)
    assert "temperature" in browser.text(".message .alarm")
