# SPDX-License-Identifier: MIT
"""Exports one architecture and says how that ended."""

import contextlib
import copy
import importlib
import io
import os
import pathlib
import resource
import signal
import tempfile
import time
import traceback
import warnings

OUTCOMES = {
    "equal": "exported, and equal to PyTorch on the example, on other numbers and on other sizes",
    "fallback": "torch.export refuses it, the converter's file is equal",
    "undetermined": "exported, but PyTorch without oneDNN or with weights changed by 1e-7 departs from its own result as well",
    "wrong": "exported, but another result than PyTorch's",
    "refused": "PyTorch's graph has an operator, or the file an argument, that the library refuses",
    "crashed": "the exporter raised something else than an ExportError",
    "PyTorch refuses": "torch.export cannot take the module",
    "not made": "the architecture cannot be made or run by PyTorch itself here",
    "too long": "the time for one architecture is over",
    "too large": "the memory for one architecture is not enough",
}

# Parts of what Python, PyTorch and the library say if the system gives them no memory.
_NO_MEMORY = ("Cannot allocate memory", "bad_alloc", "can't allocate memory", "MemoryError", "not enough memory", "out of memory")
_FAILURES = ("refused", "crashed", "PyTorch refuses", "not made")

# A timer, its signal, and how many times the limit it runs: that of the CPU, and a longer one for what hangs.
_TIMERS = ((signal.ITIMER_PROF, signal.SIGPROF, 1), (signal.ITIMER_REAL, signal.SIGALRM, 20))


class _TooLong(BaseException):
    pass


# The module and the function that know the architectures of a library, by the beginning of their names.
_SOURCES = {
    "asteroid": ("separation_models", "separation_models"),
    "braindecode": ("brain_models", "brain_models"),
    "diffusers": ("generative_models", "generative_models"),
    "hand": ("hand_written", "modules"),
    "kornia": ("feature_models", "feature_models"),
    "monai": ("medical_models", "medical_models"),
    "segmentation": ("image_models", "segmentation_models"),
    "spandrel": ("restoration_models", "restoration_models"),
    "speechbrain": ("separation_models", "speech_networks"),
    "timm": ("image_models", "timm_models"),
    "torch_geometric": ("graph_models", "graph_models"),
    "torchaudio": ("speech_models", "speech_models"),
    "torchvision": ("image_models", "torchvision_models"),
    "transformers": ("language_models", "transformers_models"),
    "ultralytics": ("image_models", "yolo_models"),
    "vit-pytorch": ("vision_transformers", "vision_transformers"),
    "x-transformers": ("attention_variants", "attention_variants"),
    "zoo": ("zoo_models", "zoo_models"),
}


def architectures(library):
    """The architectures of a library by name: functions that make a module and its arguments."""
    module, function = _SOURCES[library]
    return dict(getattr(importlib.import_module(f"export_exam.{module}"), function)())


def names_by_library(missing):
    """The names of all architectures. `missing`: gets what is said of absent packages."""
    names = {}
    for library in _SOURCES:
        try:
            names[library] = list(architectures(library))
        except ImportError as error:
            missing.append(f"{library}: {error}")
    return names


def judge(name, via, seconds, memory):
    """(name, outcome, words, seconds). The limit and the result are times of the CPU; what waits is stopped as well.

    `memory`: bytes that the process may take; an architecture that needs more fails instead of taking the machine's.
    """
    begin = time.process_time()
    for timer, signal_, limit in _TIMERS:
        signal.signal(signal_, _stop)
        signal.setitimer(timer, limit * seconds)
    try:
        outcome, words = _judge(name, via, memory)
        if outcome in _FAILURES and any(text in words for text in _NO_MEMORY):
            outcome = "too large"
    except _TooLong:
        outcome, words = "too long", f"{seconds} s"
    finally:
        for timer, _, _ in _TIMERS:
            signal.setitimer(timer, 0)
    return name, outcome, " ".join(words.split())[:600], time.process_time() - begin


def _stop(*_):
    raise _TooLong


def _judge(name, via, memory):
    import torch

    import kuiper_infer

    resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))
    torch.set_num_threads(1)
    torch.manual_seed(20261126)
    warnings.simplefilter("ignore")
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    silence = io.StringIO()
    try:
        with contextlib.redirect_stdout(silence), contextlib.redirect_stderr(silence):
            module, arguments = architectures(name.split("/")[0])[name]()
            module = module.eval()
            with torch.no_grad():
                _call(module, arguments)
    except _TooLong:
        raise
    except Exception as error:
        return "not made", f"{type(error).__name__}: {error}"
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            kuiper_infer.export(module, arguments, pathlib.Path(folder) / "model", via=via)
        except kuiper_infer.ExportError as error:
            if error.comparison is not None:
                return ("undetermined" if _depends_on_rounding(module, arguments) else "wrong"), str(error)
            return ("PyTorch refuses" if _is_of_pytorch(error) else "refused"), str(error)
        except _TooLong:
            raise
        except (TypeError, ValueError) as error:  # of arguments and results that the exporter does not take
            return "refused", f"{type(error).__name__}: {error}"
        except Exception as error:  # of any kind: none of them is to leave the exporter
            return "crashed", f"{type(error).__name__}: {error}"
        fallback = [str(each.message) for each in caught if "exported by the converter" in str(each.message)]
        return ("fallback", fallback[0]) if fallback else ("equal", "")


def _is_of_pytorch(error):
    """Whether PyTorch, while it made or rewrote its graph, raised what an ExportError tells."""
    frames = traceback.extract_tb(error.__cause__.__traceback__) if error.__cause__ else ()
    return "not supported" not in str(error) and any(each.name in ("export_program", "run_decompositions") for each in frames)


def _depends_on_rounding(module, arguments):
    """Whether the results change if PyTorch adds in another order, or if the weights differ in their last digits: scores
    that are nearly equal, or equal as behind a weight of zeros, may then be sorted in another order."""
    import torch

    from kuiper_infer._pytorch.calls import tensors_of, to_numpy
    from kuiper_infer._pytorch.difference import difference

    def results(module):
        return [to_numpy(tensor) for tensor in tensors_of(_call(module, arguments))]

    with torch.no_grad():
        usual = results(module)
        with torch.backends.mkldnn.flags(enabled=False):
            others = [results(module)]
        nearly = copy.deepcopy(module)
        for weight in nearly.parameters():
            weight += 1e-7 * torch.randn_like(weight)
        others.append(results(nearly))
    return any(difference(*pair).departs(1e-3) for other in others for pair in zip(other, usual))


def _call(module, arguments):
    if isinstance(arguments, dict):
        return module(**arguments)
    return module(*arguments) if isinstance(arguments, tuple) else module(arguments)
