# SPDX-License-Identifier: MIT
"""States: outputs that are inputs of the next run of a session."""

import pickle
import threading

import numpy as np
import pytest

import kuiper_infer

NO_WEIGHTS = b"PK\5\6" + bytes(18)


def param(*lines):
    return "\n".join(["7767517", f"{len(lines)} 99", *lines, ""]).encode()


# The output is 2 h', the state h' = h/2 + x.
RECURRENT = (
    "pnnx.Input x 0 1 x #x=(1,4)f32",
    "pnnx.Input h 0 1 h{} #h=(1,4)f32",
    "pnnx.Expression next 2 1 h x n expr=add(mul(@0,0.5),@1) #n=(1,4)f32",
    "pnnx.Expression twice 1 1 n y expr=mul(@0,2.0) #y=(1,4)f32",
    "pnnx.Output out 1 0 y",
    "pnnx.Output next_h 1 0 n",
)


def growing(state):
    return param(
        "pnnx.Input x 0 1 x #x=(1,?,4)f32",
        f"pnnx.Input past 0 1 p {state} #p=(1,?,4)f32",
        "torch.cat join 2 1 p x k dim=1 #k=(1,?,4)f32",
        "torch.sum total 1 1 k s dim=(1) keepdim=False",
        "pnnx.Output out 1 0 s",
        "pnnx.Output all 1 0 k",
    )


GROWING = growing("state=all")


def recurrent(state=" state=1"):
    return param(*(line.format(state) for line in RECURRENT))


def row(value):
    return np.full((1, 4), value, np.float32)


def first(session, value):
    (output,) = session.run({"x": row(value)})
    return output[0, 0]


@pytest.mark.parametrize("states", [None, {1: "h"}, {"next_h": "h"}])
def test_a_state_is_the_output_of_the_run_before(states):
    model = kuiper_infer.Model(recurrent("" if states else " state=1"), NO_WEIGHTS, states=states)
    assert [info.name for info in model.inputs] == ["x"]
    assert [info.name for info in model.outputs] == ["out"]
    assert model.states == (("h", "next_h", "float32", (1, 4), None, None, None, "float32"),)
    session = model.session()
    assert first(session, 1) == 2
    assert first(session, 1) == 3
    assert first(model.session(), 1) == 2
    np.testing.assert_array_equal(model(row(1)), row(2))  # a call of the model begins anew
    np.testing.assert_array_equal(model(row(1)), row(2))
    session.reset()
    assert first(session, 1) == 2
    session.set_state("h", row(8))
    assert first(session, 0) == 8


def test_growing_states_are_truncated_restored_and_saved(tmp_path):
    session = kuiper_infer.Model(GROWING, NO_WEIGHTS).session()
    rng = np.random.default_rng(1)
    tokens = rng.standard_normal((1, 40, 4), np.float32)
    lengths = [3, 1, 1, 20, 1, 14]
    at = 0
    for length in lengths:
        (total,) = session.run([tokens[:, at : at + length]])
        at += length
        assert session.length == at
        np.testing.assert_allclose(total, tokens[:, :at].sum(1), rtol=1e-5, atol=1e-5)
    assert session.state_bytes >= 40 * 16
    session.truncate(10)
    snapshot = session.snapshot()
    (total,) = session.run([tokens[:, :2]])
    np.testing.assert_allclose(total, tokens[:, :10].sum(1) + tokens[:, :2].sum(1), rtol=1e-5, atol=1e-5)
    session.restore(snapshot)
    assert session.length == 10
    session.save(tmp_path / "states")
    other = kuiper_infer.Model(GROWING, NO_WEIGHTS).session()
    other.load(tmp_path / "states")
    assert other.length == 10
    np.testing.assert_array_equal(other.run([tokens[:, :1]])[0], session.run([tokens[:, :1]])[0])


@pytest.mark.parametrize(
    ("state", "states"),
    [
        ("", {"all": kuiper_infer.State("past", window=4)}),
        ("state=1", {1: kuiper_infer.State("past", 4)}),
        ("state=1 window=4", None),
        ("state=1 window=4", {"all": "past"}),
    ],
)
@pytest.mark.parametrize("step", [1, 3, 6])
def test_a_window_keeps_the_last_elements(state, states, step):
    model = kuiper_infer.Model(growing(state), NO_WEIGHTS, states=states)
    assert model.states == (("past", "all", "float32", (1, -1, 4), 1, 4, None, "float32"),)
    by_hand = kuiper_infer.Model(growing(""), NO_WEIGHTS)
    session = model.session()
    tokens = np.random.default_rng(2).standard_normal((1, 60, 4), np.float32)
    past = tokens[:, :0]
    for at in range(0, 60, step):
        new = tokens[:, at : at + step]
        expected, past = by_hand(new, past)
        past = past[:, -4:]
        np.testing.assert_array_equal(session.run([new])[0], expected)
        assert session.length == past.shape[1]
    assert session.state_bytes <= max(4 * (4 + step), 32) * 16
    with pytest.raises(kuiper_infer.KuiperError, match="keeps the last 4 elements, has dropped those before them"):
        session.truncate(2)


def test_mistakes_of_windows_are_named():
    for window, error in ((0, ValueError), (-1, ValueError), (2.5, TypeError), ("wide", TypeError)):
        with pytest.raises(error, match="the window of state 'past' is "):
            kuiper_infer.Model(growing(""), NO_WEIGHTS, states={1: kuiper_infer.State("past", window)})
    with pytest.raises(TypeError, match=r"states has 1: State\(input=2"):
        kuiper_infer.Model(growing(""), NO_WEIGHTS, states={1: kuiper_infer.State(2)})
    with pytest.raises(kuiper_infer.KuiperError, match="has a window of 9 elements, expected at most max_state_length"):
        kuiper_infer.Model(growing("state=1 window=9"), NO_WEIGHTS, max_state_length=8)
    with pytest.raises(kuiper_infer.KuiperError, match="state 'h' has a window of 2 elements, but is replaced"):
        kuiper_infer.Model(recurrent(""), NO_WEIGHTS, states={1: kuiper_infer.State("h", 2)})


def test_mistakes_are_named(tmp_path):
    model = kuiper_infer.Model(recurrent(), NO_WEIGHTS)
    session = model.session()
    with pytest.raises(kuiper_infer.KuiperError, match="state 'h' is replaced in each run and cannot be truncated"):
        session.truncate(0)
    with pytest.raises(kuiper_infer.KuiperError, match="the model has no input 'h'"):
        session.run({"x": row(1), "h": row(1)})
    with pytest.raises(TypeError, match="snapshot is int"):
        session.restore(3)
    (tmp_path / "states").write_bytes(b"nothing")
    with pytest.raises(kuiper_infer.KuiperError, match="is no file of states"):
        session.load(tmp_path / "states")
    growing = kuiper_infer.Model(GROWING, NO_WEIGHTS).session()
    growing.save(tmp_path / "states")
    with pytest.raises(kuiper_infer.KuiperError, match="is of another model"):
        session.load(tmp_path / "states")
    with pytest.raises(kuiper_infer.KuiperError, match="snapshot is of another model"):
        session.restore(growing.snapshot())
    with pytest.raises(kuiper_infer.KuiperError, match="names the output '7'"):
        kuiper_infer.Model(recurrent(""), NO_WEIGHTS, states={7: "h"})
    with pytest.raises(TypeError, match="states has 1: 2"):
        kuiper_infer.Model(recurrent(""), NO_WEIGHTS, states={1: 2})
    with pytest.raises(TypeError, match="states is str"):
        kuiper_infer.Model(recurrent(""), NO_WEIGHTS, states="h")


def test_a_second_thread_in_a_session_is_refused():
    session = kuiper_infer.Model(recurrent(), NO_WEIGHTS).session()
    caught = []

    def in_thread():
        with pytest.raises(kuiper_infer.KuiperError, match="in use by another thread"):
            session.reset()
        caught.append(True)

    def progress(*_):
        thread = threading.Thread(target=in_thread)
        thread.start()
        thread.join()

    session.run({"x": row(1)}, kuiper_infer.RunOptions(progress=progress))
    assert caught


def test_pickled_models_have_the_states(tmp_path):
    (tmp_path / "m.pnnx.param").write_bytes(recurrent(""))
    (tmp_path / "m.pnnx.bin").write_bytes(NO_WEIGHTS)
    model = kuiper_infer.Model(tmp_path / "m.pnnx.param", states={1: "h"})
    again = pickle.loads(pickle.dumps(model))
    assert again.states == model.states
    (tmp_path / "m.pnnx.param").write_bytes(growing(""))
    model = kuiper_infer.Model(tmp_path / "m.pnnx.param", states={1: kuiper_infer.State("past", 4)})
    again = pickle.loads(pickle.dumps(model))
    assert again.states == model.states
    assert again.states[0].window == 4


def test_sessions_run_together_as_each_alone():
    model = kuiper_infer.Model(GROWING, NO_WEIGHTS)
    sessions = [model.session() for _ in range(3)]
    alone = [model.session() for _ in range(3)]
    for step in range(3):
        inputs = [{"x": np.full((1, 1 + (step + i) % 2, 4), i + step, np.float32)} for i in range(3)]
        results = model.run_together(sessions, inputs)
        for session, twin, given, (output,) in zip(sessions, alone, inputs, results, strict=True):
            np.testing.assert_array_equal(output, twin.run(given)[0])
            assert session.length == twin.length


def test_what_cannot_run_together_is_named():
    model = kuiper_infer.Model(recurrent(), NO_WEIGHTS)
    a, b = model.session(), model.session()
    stranger = kuiper_infer.Model(recurrent(), NO_WEIGHTS).session()
    assert model.run_together([], []) == []
    with pytest.raises(kuiper_infer.KuiperError, match="1 sets of inputs for 2 sessions"):
        model.run_together([a, b], [[row(1)]])
    with pytest.raises(kuiper_infer.KuiperError, match="session 1: the session is in the list twice"):
        model.run_together([a, a], [[row(1)], [row(1)]])
    with pytest.raises(kuiper_infer.KuiperError, match="session 1: the session is of another model"):
        model.run_together([a, stranger], [[row(1)], [row(1)]])
    with pytest.raises(TypeError, match="session 1 is int"):
        model.run_together([a, 3], [[row(1)], [row(1)]])
    options = kuiper_infer.RunOptions(deadline=0)
    with pytest.raises(kuiper_infer.KuiperError, match="deadline"):
        model.run_together([a, b], [[row(1)], [row(1)]], options)
    assert first(a, 1) == 2
