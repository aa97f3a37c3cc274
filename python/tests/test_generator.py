# SPDX-License-Identifier: MIT
"""Answers of a small decoder with random weights: they are the same alone and together, and end as they should."""

import asyncio
import time

import numpy as np
import pytest

import kuiper_infer
import small_decoder

PROMPT = "Hello, world"


@pytest.fixture(scope="module")
def decoder():
    return small_decoder.model()


@pytest.fixture(scope="module")
def tokenizer():
    return small_decoder.tokenizer()


@pytest.fixture
def answers(decoder, tokenizer):
    with kuiper_infer.Generator(decoder, tokenizer, chat_template=small_decoder.CHAT) as made:
        yield made


def by_hand(decoder, tokens, count):
    """The most probable tokens, one after the other."""
    session, given, found = decoder.session(), np.array([tokens], np.int64), []
    for _ in range(count):
        (logits,) = session.run([given])
        found.append(int(logits[0, -1].argmax()))
        given = np.array([[found[-1]]], np.int64)
    return found


def test_the_most_probable_tokens(answers, decoder, tokenizer):
    pieces = list(answers.generate(PROMPT, max_tokens=20, ignore_endings=True))
    assert [piece.token for piece in pieces] == by_hand(decoder, tokenizer.encode(PROMPT), 20)
    assert pieces[-1].finish_reason == "length"
    assert all(piece.finish_reason is None for piece in pieces[:-1])
    assert "".join(piece.text for piece in pieces).startswith(tokenizer.decode([pieces[0].token]))


def test_several_prompts_run_together_as_each_alone(answers):
    prompts = ["a", "The quick brown fox", "Hello", "b c d", "What?"]
    alone = [answers.generate(prompt, max_tokens=15, ignore_endings=True).text for prompt in prompts]
    together = answers.generate(prompts, max_tokens=15, ignore_endings=True)
    assert together.texts == alone
    assert together.finish_reasons == ["length"] * len(prompts)


def test_a_seed_gives_the_same_text_alone_and_together(answers):
    options = {"max_tokens": 25, "temperature": 1.5, "ignore_endings": True}
    first = answers.generate(PROMPT, seed=7, **options).text
    others = [answers.generate("Another prompt", seed=3, **options) for _ in range(3)]
    assert answers.generate(PROMPT, seed=7, **options).text == first
    assert len({other.text for other in others}) == 1
    assert answers.generate(PROMPT, seed=8, **options).text != first
    batch = answers.generate([PROMPT, PROMPT], seed=7, **options).texts
    assert batch[0] == first and batch[1] != first


def test_texts_and_tokens_end_an_answer(answers, tokenizer):
    whole = answers.generate(PROMPT, max_tokens=30, ignore_endings=True).text
    middle = len(whole) // 2
    stop = whole[middle : middle + 2]
    answer = answers.generate(PROMPT, max_tokens=30, ignore_endings=True, stop=stop)
    assert answer.text == whole[: whole.index(stop)]
    assert answer.finish_reason == "stop"
    tokens = [piece.token for piece in answers.generate(PROMPT, max_tokens=30, ignore_endings=True)]
    ended = answers.generate(PROMPT, max_tokens=30, ignore_endings=True, stop_tokens=[tokens[4]])
    assert len([piece for piece in ended if piece.text]) <= 4
    assert ended.finish_reason == "stop"


def test_a_conversation_that_goes_on_is_not_computed_again(answers):
    pytest.importorskip("jinja2")
    messages = [{"role": "user", "content": "Tell me about the weather, please"}]
    first = answers.chat(messages, max_tokens=8, ignore_endings=True)
    messages += [{"role": "assistant", "content": first.text}, {"role": "user", "content": "and"}]
    second = answers.chat(messages, max_tokens=2, ignore_endings=True)
    assert second.text is not None
    assert first.kept_tokens == [0]
    assert second.kept_tokens[0] >= first.prompt_tokens[0]


def test_an_own_choice_of_logits(answers, tokenizer):
    wanted = tokenizer.encode("x")[0]

    def only(tokens, logits):
        logits[:] = -np.inf
        logits[wanted] = 0

    assert answers.generate(PROMPT, max_tokens=4, logits_processor=only).text == "xxxx"

    def fails(tokens, logits):
        raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="mine"):
        list(answers.generate(PROMPT, max_tokens=4, logits_processor=fails))
    assert answers.generate(PROMPT, max_tokens=4, logits_processor=only).text == "xxxx"


def test_log_probabilities_come_with_the_tokens(answers):
    for piece in answers.generate(PROMPT, max_tokens=3, logprobs=2, ignore_endings=True):
        assert piece.logprobs is not None and piece.logprobs.chosen <= 0
        assert piece.logprobs.best[0][0] == piece.token


def test_answers_can_be_left_and_have_deadlines(answers):
    left = answers.generate(PROMPT, max_tokens=2000, ignore_endings=True)
    next(left)
    left.close()
    late = answers.generate(PROMPT, max_tokens=2000, ignore_endings=True, deadline=time.monotonic())
    list(late)
    assert late.finish_reason == "deadline"
    assert answers.generate(PROMPT, max_tokens=2, ignore_endings=True).finish_reason is None


def test_event_loops_read_answers(answers):
    async def read(prompt):
        return "".join([piece.text async for piece in answers.generate(prompt, max_tokens=10, ignore_endings=True)])

    async def both():
        return await asyncio.gather(read("a"), read("Hello"))

    assert asyncio.run(both()) == [
        answers.generate(prompt, max_tokens=10, ignore_endings=True).text for prompt in ("a", "Hello")
    ]


def test_what_is_not_possible_is_refused(answers, decoder, tokenizer, line_reader):
    with pytest.raises(ValueError, match="no tokens"):
        answers.generate("")
    with pytest.raises((ValueError, kuiper_infer.KuiperError), match="vocabulary|expected"):
        list(answers.generate([10**6], max_tokens=1))
    with pytest.raises((ValueError, TypeError)):
        answers.generate(PROMPT, max_tokens=0)
    with pytest.raises(TypeError):
        answers.generate(PROMPT, stop=[""])
    with pytest.raises((ValueError, kuiper_infer.KuiperError), match="decoder|state|tokens"):
        kuiper_infer.Generator(kuiper_infer.Model(line_reader), tokenizer)
    closed = kuiper_infer.Generator(decoder, tokenizer)
    closed.close()
    with pytest.raises(RuntimeError, match="closed"):
        closed.generate(PROMPT)
