# SPDX-License-Identifier: MIT
"""Tokenizers, samplers and the Generator, with a small decoder of random weights."""

from __future__ import annotations

import asyncio
import gc
import threading
import time

import numpy as np
import pytest

import tiny_decoder
from kuiper_infer import Generator, KuiperError, Model, Session, State, _core
from kuiper_infer._generation.decoder import Decoder
from kuiper_infer._generation.options import GenerateKeywords, GenerateOptions
from kuiper_infer._generation.prefix_cache import PrefixCache
from kuiper_infer.text import ChatTemplate, ChatTemplateError, Sampler, Tokenizer, log_probabilities

USER = [{"role": "user", "content": "hello there"}]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tiny_decoder.write(tmp_path_factory.mktemp("decoder")).parent


@pytest.fixture(scope="module")
def model(folder):
    return Model(folder / "model.pnnx.param", threads=1)


@pytest.fixture(scope="module")
def tokenizer(folder):
    return Tokenizer.load(folder / "tokenizer.json")


@pytest.fixture
def generator(model, tokenizer):
    with Generator(model, tokenizer) as made:
        yield made


def by_hand(model, prompt, count):
    """Greedy tokens by a session, as docs/decoders.md has them."""
    session, given, made = model.session(), np.array([prompt]), []
    for _ in range(count):
        (logits,) = session.run([given])
        given = logits[:, -1:].argmax(-1)
        made.append(int(given[0, 0]))
    return made


def test_a_tokenizer(tokenizer):
    tokens = tokenizer.encode("some text\n")
    assert tokenizer.decode(tokens) == "some text\n"
    assert tokenizer.encode("<|im_end|>") != [2]
    assert tokenizer.encode("<|im_end|>", parse_special_tokens=True) == [2]
    assert tokenizer.encode_parts([("<|im_end|>", True), ("<|im_end|>", False)])[0] == 2
    assert tokenizer.find("<|im_end|>") == 2 and tokenizer.find("nothing") is None
    assert tokenizer.name(2) == "<|im_end|>" and tokenizer.special(2) and not tokenizer.special(5)
    assert tokenizer.decode([2, 3]) == "a" and tokenizer.decode([2, 3], special_tokens=True) == "<|im_end|>a"
    stream = tokenizer.stream()
    assert "".join(map(stream.push, tokens)) + stream.finish() == "some text\n"
    with pytest.raises(KuiperError):
        tokenizer.decode([10**6])
    with pytest.raises(TypeError):
        tokenizer.encode(b"bytes")


def test_sampling():
    logits = np.log(np.array([0.5, 0.3, 0.2], np.float32))
    sampler = Sampler(3, temperature=1, seed=5)
    assert sampler.distribution(logits) == pytest.approx({0: 0.5, 1: 0.3, 2: 0.2}, abs=1e-5)
    assert Sampler(3).sample(logits) == 0
    assert Sampler(3, logit_bias={0: -np.inf}).sample(logits) == 1
    told = log_probabilities(logits, 1, 2)
    assert told.chosen == pytest.approx(np.log(0.3), abs=1e-5)
    assert [token for token, _ in told.best] == [0, 1]
    with pytest.raises(KuiperError, match="top_p"):
        Sampler(3, top_p=2)
    with pytest.raises(KuiperError, match="expected 3"):
        sampler.sample(np.zeros(4, np.float32))


def test_greedy_text_is_that_of_a_session(generator, model, tokenizer):
    prompt = tokenizer.encode("hello there")
    answer = generator.generate("hello there", max_tokens=20, ignore_endings=True)
    pieces = list(answer)
    assert [piece.token for piece in pieces] == by_hand(model, prompt, 20)
    assert [piece.finish_reason for piece in pieces] == [None] * 19 + ["length"]
    assert answer.finish_reason == "length"
    assert answer.text == tokenizer.decode(by_hand(model, prompt, 20))


def test_prompts_in_pieces_and_together(model, tokenizer):
    prompts = ["abc" * 40, "a", "hello there", "0123456789" * 9]
    with Generator(model, tokenizer, prompt_chunk=7, max_running=3) as generator:
        together = generator.generate(prompts, max_tokens=12, ignore_endings=True)
        texts = together.texts
    assert together.finish_reasons == ["length"] * len(prompts)
    for prompt, text in zip(prompts, texts, strict=True):
        assert text == tokenizer.decode(by_hand(model, tokenizer.encode(prompt), 12))


def record_runs(monkeypatch, before=lambda tokens: None):
    """Records the tokens of each answer in each run of a decoder; calls `before` first."""
    runs = []
    run = Decoder.run

    def recorded(self, sessions, tokens):
        before(tokens)
        runs.append([list(each) for each in tokens])
        return run(self, sessions, tokens)

    monkeypatch.setattr(Decoder, "run", recorded)
    return runs


def answer_beside_another(generator, prompt, submitted):
    """Asks for an answer while another one is under way, whose fourth token waits for `submitted`. Returns both."""
    other = generator.generate("ab", max_tokens=40, ignore_endings=True)
    for _ in range(3):
        next(other)
    answer = generator.generate(prompt, max_tokens=3, ignore_endings=True)
    submitted.set()
    return answer, other


def test_a_prompt_is_read_in_the_runs_of_other_answers(model, tokenizer, monkeypatch):
    submitted = threading.Event()
    runs = record_runs(monkeypatch, lambda _: len(runs) < 5 or submitted.wait(60))
    prompt = "0123456789" * 5
    with Generator(model, tokenizer, prompt_chunk=7) as generator:
        answer, other = answer_beside_another(generator, prompt, submitted)
        assert answer.text == tokenizer.decode(by_hand(model, tokenizer.encode(prompt), 3))
        assert other.text == tokenizer.decode(by_hand(model, tokenizer.encode("ab"), 40))
    sizes = [[len(tokens) for tokens in run] for run in runs]
    assert sizes.count([1, 7]) == 7, "49 tokens before the last one, in parts beside a token each"
    assert all(1 in each for each in sizes[1:]), "an answer under way gets a token in each run"


def test_a_prompt_that_fails_does_not_harm_the_answers_beside_it(model, tokenizer, monkeypatch):
    submitted = threading.Event()

    def wait_or_fail(tokens):
        if submitted.is_set() and any(len(each) > 1 for each in tokens):
            raise MemoryError("no memory")
        return len(runs) < 5 or submitted.wait(60)

    runs = record_runs(monkeypatch, wait_or_fail)
    with Generator(model, tokenizer) as generator:
        answer, other = answer_beside_another(generator, "0123456789", submitted)
        with pytest.raises(MemoryError, match="no memory"):
            answer.text  # noqa: B018
        assert other.text == tokenizer.decode(by_hand(model, tokenizer.encode("ab"), 40))


def test_padding_that_cannot_be_taken_back_ends_one_answer_alone(model, tokenizer, monkeypatch):
    submitted = threading.Event()
    runs = record_runs(monkeypatch, lambda _: len(runs) < 5 or submitted.wait(60))

    def truncate(self, length):
        raise MemoryError("no padding")

    monkeypatch.setattr(Session, "truncate", truncate)
    with Generator(model, tokenizer) as generator:
        answer, other = answer_beside_another(generator, "0123456", submitted)  # six tokens in a run of eight
        with pytest.raises(MemoryError, match="no padding"):
            answer.text  # noqa: B018
        assert other.text == tokenizer.decode(by_hand(model, tokenizer.encode("ab"), 40))


def test_prompts_of_any_length_need_four_plans(model, tokenizer, monkeypatch):
    runs = record_runs(monkeypatch)
    prompts = [chr(97 + i) * (5 + 15 * i) for i in range(12)]
    with Generator(model, tokenizer, max_running=4) as generator:
        texts = generator.generate(prompts, max_tokens=3, ignore_endings=True).texts
    assert texts == [tokenizer.decode(by_hand(model, tokenizer.encode(prompt), 3)) for prompt in prompts]
    sizes = {len(tokens) for run in runs for tokens in run}
    assert sizes <= {1, 8, 32, 256}
    assert {1, 8, 32} <= sizes


def test_prompts_up_to_the_length_of_the_model(folder, tokenizer):
    model = Model(folder / "model.pnnx.param", threads=1, max_state_length=20)
    with Generator(model, tokenizer) as generator:
        for count in range(1, 20):
            answer = generator.generate("a" * count, ignore_endings=True)
            assert answer.text == tokenizer.decode(by_hand(model, tokenizer.encode("a" * count), 20 - count))


def test_prompts_of_a_model_whose_states_cannot_be_truncated(folder, model, tokenizer):
    states = {state.output: State(state.name, window=200) for state in model.states}
    model = Model(folder / "model.pnnx.param", threads=1, states=states)
    prompts = [chr(97 + i) * (5 + 15 * i) for i in range(6)]
    with Generator(model, tokenizer) as generator:
        texts = generator.generate(prompts, max_tokens=3, ignore_endings=True).texts
    assert texts == [tokenizer.decode(by_hand(model, tokenizer.encode(prompt), 3)) for prompt in prompts]


def test_a_seed_gives_the_same_text_alone_and_among_others(generator):
    given = {"temperature": 1.0, "max_tokens": 15, "ignore_endings": True}
    alone = generator.generate("second", seed=8, **given).text
    assert generator.generate(["first", "second", "third"], seed=7, **given).texts[1] == alone
    assert generator.generate("second", seed=8, **given).text == alone
    assert generator.generate("second", seed=9, **given).text != alone
    others = [generator.generate("another", seed=3, **given) for _ in range(3)]
    assert len({other.text for other in others}) == 1
    first, second = generator.generate(["second", "second"], seed=8, **given).texts
    assert first == alone and second != alone


def test_known_beginnings_are_not_computed_again(generator):
    first = generator.generate("a long beginning, then one end", max_tokens=4, ignore_endings=True)
    text = first.text
    again = generator.generate("a long beginning, then one end", max_tokens=4, ignore_endings=True)
    assert again.text == text
    other = generator.generate("a long beginning, then another", max_tokens=4)
    assert other.text is not None
    assert first.kept_tokens == [0]
    assert again.kept_tokens == [first.prompt_tokens[0] - 1]
    assert other.kept_tokens == [len("a long beginning, then ")]


def test_what_was_not_used_for_long_is_forgotten(model):
    session = model.session()
    session.run([np.array([[3, 4, 5]])])
    cache = PrefixCache(3 * (session.state_bytes + 24))
    for first in range(5):
        cache.store([first, 4, 5], session)
    assert len(cache) == 3
    assert cache.restore([1, 4, 5, 6], model.session()) == 0
    assert cache.restore([2, 4, 5, 6], model.session()) == 3
    cache.store([7, 4, 5], session)
    assert cache.restore([2, 4, 9, 9], model.session()) == 2
    assert cache.restore([3, 4, 5, 6], model.session()) == 0


def test_stop_texts_are_held_back():
    stop = _core.StopFilter(["end", "ndx"])
    assert [stop.push(text) for text in ("the e", "n", "t", "xend more", "end")] == ["the ", "", "ent", "x", ""]
    assert stop.stopped()
    assert stop.finish() == ""
    stop = _core.StopFilter(["\u00e9\U0001f600"])
    assert [stop.push(text) for text in ("a\u00e8\u00e9", "\u00e9", "\U0001f601")] == [
        "a\u00e8",
        "\u00e9",
        "\u00e9\U0001f601",
    ]
    assert not stop.stopped()
    with pytest.raises(KuiperError, match="text 0 of stop is empty"):
        _core.StopFilter([""])


def test_stops(generator, tokenizer):
    given = {"max_tokens": 20, "ignore_endings": True, "temperature": 1.0, "seed": 1}
    text = generator.generate("hello", **given).text
    assert len(text) >= 12
    answer = generator.generate("hello", **given, stop=text[5:8])
    assert answer.text == text[: text.index(text[5:8])]
    assert answer.finish_reason == "stop"
    (token, *_) = tokenizer.encode(text[4])
    answer = generator.generate("hello", **given, stop_tokens=[token])
    assert answer.text == text[: text.index(text[4])]
    assert answer.finish_reason == "stop"


def test_logits_can_be_changed(generator, tokenizer):
    seen = []

    def only(tokens, logits):
        seen.append(len(tokens))
        changed = np.full_like(logits, -np.inf)
        changed[tokenizer.find("x")] = 0
        return changed

    assert generator.generate("hello", max_tokens=3, logits_processor=only).text == "xxx"
    assert seen == [5, 6, 7]

    def only_in_place(tokens, logits):
        logits[:] = -np.inf
        logits[tokenizer.find("x")] = 0

    assert generator.generate("hello", max_tokens=4, logits_processor=only_in_place).text == "xxxx"

    def fail(tokens, logits):
        raise LookupError("mine")

    with pytest.raises(LookupError, match="mine"):
        generator.generate("hello", max_tokens=3, logits_processor=fail).text  # noqa: B018
    assert generator.generate("hello", max_tokens=1, ignore_endings=True).finish_reason is None
    assert generator.generate("hello", max_tokens=3, logits_processor=only).text == "xxx"


def test_log_probabilities_come_with_pieces(generator):
    for piece in generator.generate("hello", max_tokens=3, ignore_endings=True, logprobs=2):
        assert piece.logprobs.best[0] == (piece.token, pytest.approx(piece.logprobs.chosen))
        assert len(piece.logprobs.best) == 2
        assert piece.logprobs.chosen <= 0


def test_asynchronous_readers(generator):
    async def read(prompt):
        answer = generator.generate(prompt, max_tokens=10, ignore_endings=True)
        return "".join([piece.text async for piece in answer])

    async def both():
        return await asyncio.gather(read("hello"), read("there"))

    expected = [generator.generate(each, max_tokens=10, ignore_endings=True).text for each in ("hello", "there")]
    assert asyncio.run(both()) == expected


def test_conversations(generator, tokenizer):
    template = ChatTemplate(tokenizer)
    assert template.endings() == [2]
    parts = template.render([{"role": "user", "content": "say <|im_end|> now"}])
    assert ("<|im_end|>", False) in parts
    assert tokenizer.encode_parts(parts).count(2) == 1
    answer = generator.chat(USER, max_tokens=5)
    assert answer.prompt_tokens == [len(tokenizer.encode_parts(template.render(USER)))]
    assert isinstance(answer.text, str)
    with pytest.raises(ChatTemplateError, match="no messages"):
        generator.chat([])
    with pytest.raises(ChatTemplateError, match="not valid"):
        ChatTemplate(tokenizer, "{% for %}")
    with pytest.raises(ChatTemplateError, match="refuses the conversation: no"):
        ChatTemplate(tokenizer, "{{ raise_exception('no') }}").render(USER)
    with pytest.raises(ChatTemplateError, match="SecurityError|unsafe|attribute"):
        ChatTemplate(tokenizer, "{{ ''.__class__.__mro__[1].__subclasses__()[0] }}").render(USER)
    with pytest.raises(ChatTemplateError, match="characters"):
        ChatTemplate(tokenizer, "{% for i in range(99999) %}{{ 'a' * 1000 }}{% endfor %}").render(USER)


def test_a_conversation_that_goes_on_is_not_computed_again(generator):
    messages = [{"role": "user", "content": "tell me about the weather, please"}]
    first = generator.chat(messages, max_tokens=8, ignore_endings=True)
    messages += [{"role": "assistant", "content": first.text}, {"role": "user", "content": "and"}]
    second = generator.chat(messages, max_tokens=2, ignore_endings=True)
    assert second.text is not None
    assert first.kept_tokens == [0]
    assert second.kept_tokens[0] >= first.prompt_tokens[0]


@pytest.mark.parametrize(
    "prompt, options, said",
    [
        ("", {}, "no tokens"),
        ([99], {}, "token 99"),
        ("a" * 300, {}, "300 tokens"),
        ("a", {"max_tokens": 0}, "max_tokens is 0"),
        ("a", {"stop": [""]}, "stop has an empty text"),
        ("a", {"stop": [5]}, "stop has 5, expected texts"),
        ("a", {"temperature": -1}, "temperature"),
        ("a", {"seed": -1}, "seed is -1"),
    ],
)
def test_wrong_calls(generator, prompt, options, said):
    with pytest.raises((ValueError, TypeError, KuiperError), match=said):
        generator.generate(prompt, **options)


def test_a_closed_generator(model, tokenizer):
    generator = Generator(model, tokenizer)
    generator.close()
    with pytest.raises(RuntimeError, match="closed"):
        generator.generate("hello")


def test_a_model_that_is_no_decoder(tokenizer):
    text = "7767517\n2 1\npnnx.Input x 0 1 0 #0=(1,3)f32\npnnx.Output y 1 0 0 #0=(1,3)f32\n"
    empty_archive = b"PK\5\6" + bytes(18)
    with pytest.raises(ValueError, match="a decoder takes int64 tokens"):
        Generator(Model(text.encode(), empty_archive), tokenizer)


def test_answers_that_nobody_wants_end(model, tokenizer):
    with Generator(model, tokenizer, max_running=1) as generator:
        answer = generator.generate("a", ignore_endings=True)
        next(answer)
        del answer
        gc.collect()
        begun = time.monotonic()
        assert generator.generate("b", max_tokens=1, ignore_endings=True).text
        assert time.monotonic() - begun < 20
        late = generator.generate("c", ignore_endings=True, deadline=time.monotonic() - 1)
        assert late.text == "" and late.finish_reason == "deadline"
        closed = generator.generate("d", ignore_endings=True, max_tokens=200)
        closed.close()
        assert closed.text is not None and closed.finish_reason in ("cancelled", "length")


def test_the_thread_ends_with_the_generator(model, tokenizer):
    before = threading.active_count()
    text = Generator(model, tokenizer).generate("a", max_tokens=3, ignore_endings=True).text
    assert len(text) == 3
    gc.collect()
    end = time.monotonic() + 20
    while threading.active_count() > before:
        assert time.monotonic() < end
        time.sleep(0.01)


def test_keywords_are_the_options():
    assert set(GenerateKeywords.__annotations__) == {name for name in GenerateOptions.__dataclass_fields__}
