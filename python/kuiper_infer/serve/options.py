# SPDX-License-Identifier: MIT
"""The options of `kuiper-serve`, each on the command line and in the environment, and their possible values."""

from __future__ import annotations

import argparse
import dataclasses
import math
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .._operators import import_modules
from .data_plane import READY_RULES
from .logs import FORMATS, LEVELS
from .server import Settings

PREFIX = "KUIPER_SERVE_"


@dataclass(frozen=True)
class Options:
    """The options that a command line and an environment set."""

    settings: Settings
    log_level: str
    log_format: str
    log_config_file: str | None


def _folder(text: str) -> Path:
    path = Path(text)
    if not path.is_dir():
        raise argparse.ArgumentTypeError(f"{text} is not a folder")
    return path


def _integer(low: int, high: float = math.inf) -> Callable[[str], int]:
    def read(text: str) -> int:
        if not (text.isascii() and text.isdigit() and len(text) < 19 and low <= int(text) <= high):
            limits = f"of at least {low}" if high == math.inf else f"from {low} to {high:.0f}"
            raise argparse.ArgumentTypeError(f"'{text}' is not an integer {limits}")
        return int(text)

    return read


def _seconds(positive: bool) -> Callable[[str], float]:
    def read(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if not 0 <= value <= 1e6 or (positive and value == 0):
            kind = "positive number" if positive else "number"
            raise argparse.ArgumentTypeError(f"'{text}' is not a {kind} of seconds, at most 1000000")
        return value

    return read


def _one_of(*words: str) -> Callable[[str], str]:
    def read(text: str) -> str:
        if text not in words:
            raise argparse.ArgumentTypeError(f"'{text}' is not one of {', '.join(words)}")
        return text

    return read


def _switch(text: str) -> bool:
    return _one_of("on", "off")(text) == "on"


def _modules(text: str) -> list[str]:
    names = [name.strip() for name in text.split(",")]
    try:
        import_modules(names)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    return names


OPTIONS: tuple[tuple[str, str, Callable[[str], Any], str], ...] = (  # the defaults are those of Settings
    ("models", "FOLDER", _folder, "folder of models, as NAME/VERSION/model.pnnx.param"),
    ("host", "ADDRESS", str, "address to listen on; 0.0.0.0 for all interfaces"),
    ("http-port", "PORT", _integer(0, 65535), "port of HTTP; 0: any free one"),
    ("grpc-port", "PORT", _integer(0, 65535), "port of gRPC; 0: any free one"),
    ("ready", "any|all", _one_of(*READY_RULES), "which models have to answer for the service to be ready"),
    ("poll-seconds", "SECONDS", _seconds(True), "time between two scans of the folder of models"),
    ("max-request-bytes", "BYTES", _integer(1), "largest HTTP body or gRPC message"),
    ("max-requests", "NUMBER", _integer(1), "inference requests that are served at the same time"),
    ("keep-alive-seconds", "SECONDS", _integer(0, 1e6), "time that an idle HTTP connection stays open"),
    ("head-seconds", "SECONDS", _seconds(True), "time in which an HTTP request's headers have to arrive"),
    ("body-seconds", "SECONDS", _seconds(True), "time for an HTTP body to arrive, and for an answer to be taken"),
    ("grace-seconds", "SECONDS", _integer(0, 1e6), "time for accepted requests to finish when the service stops"),
    ("drain-seconds", "SECONDS", _seconds(False), "time from 'not ready' to the stop, for load balancers"),
    ("access-log", "on|off", _switch, "a line in the log for each request"),
    ("page", "on|off", _switch, "a page for browsers at /: chat, forms for models, figures"),
    ("reports", "on|off", _switch, "pages about runs of models, each of which runs a model ten times"),
    ("log-format", "text|json", _one_of(*FORMATS), "format of the log; json: one object per line"),
    ("log-level", "debug|info|warning|error", _one_of(*LEVELS), "lowest level that is logged"),
    ("log-config-file", "FILE", str, "KServe's logging configuration, in place of --log-format and --log-level"),
    ("import", "MODULE", _modules, "Python modules that register operators, separated by commas; may be repeated"),
)
_LOG_DEFAULTS = {"log_format": "text", "log_level": "info"}
_SWITCHES = {True: "on", False: "off"}

# Options of the program that another server, which runs the service's application, has of its own.
_OF_THE_PROGRAM = ("host", "http-port", "grpc-port", "keep-alive-seconds", "head-seconds", "grace-seconds",
                   "drain-seconds", "log-config-file")  # fmt: skip


def read_options(arguments: Sequence[str] | None, environment: Mapping[str, str]) -> Options:
    """Reads the command line, and the environment for options that it leaves out. A fault ends the program with 2."""
    parser = argparse.ArgumentParser(
        "kuiper-serve", description="Serves the models of a folder by the Open Inference Protocol.", allow_abbrev=False,
        epilog=f"Each option may also be set in the environment: {variable('http-port')} for --http-port.",
    )  # fmt: skip
    defaults = {entry.name: entry.default for entry in dataclasses.fields(Settings)} | _LOG_DEFAULTS
    for name, metavar, read, text in OPTIONS:
        default = defaults.get(name.replace("-", "_"), dataclasses.MISSING)
        shown = _SWITCHES[default] if isinstance(default, bool) else default
        help_text = text if default is dataclasses.MISSING else f"{text} (default: {shown})"
        aliases = ["--log_config_file"] if name == "log-config-file" else []  # KServe's spelling
        parser.add_argument(f"--{name}", *aliases, type=read, action="append" if name == "import" else "store",
                            metavar=metavar, help=help_text)  # fmt: skip
    parser.add_argument("--no-page", dest="page", action="store_false", default=None, help="the same as --page off")
    given = {name: value for name, value in vars(parser.parse_args(arguments)).items() if value is not None}
    for name, _, read, _ in OPTIONS:
        text = environment.get(variable(name), "")
        if text and name.replace("-", "_") not in given:
            given[name.replace("-", "_")] = _of_environment(parser, name, read, text)
    for name in _unknown(environment):
        print(f"kuiper-serve: {name} is no option's variable; it is ignored", file=sys.stderr)
    if "models" not in given:
        parser.error(f"--models or {variable('models')} has to name the folder of models")
    return _made(given)


def read_values(values: Mapping[str, Any]) -> Options:
    """Reads options by their names, from text as on the command line or from numbers and switches.

    Raises a ValueError that names the option, for those, too, that say how `kuiper-serve` itself listens and ends.
    """
    readers = {name: read for name, _, read, _ in OPTIONS if name not in _OF_THE_PROGRAM}
    given = {}
    for key, value in values.items():
        name = key.replace("_", "-")
        if name not in readers:
            raise ValueError(f"there is no option '{key}' here; there are {', '.join(readers)}")
        try:
            text = _SWITCHES[value] if isinstance(value, bool) else str(value)
            given[name.replace("-", "_")] = readers[name](text)
        except argparse.ArgumentTypeError as error:
            raise ValueError(f"option '{key}': {error}") from None
    if "models" not in given:
        raise ValueError("option 'models' has to name the folder of models")
    return _made(given)


def _made(given: dict[str, Any]) -> Options:
    log = {name: given.pop(name, default) for name, default in _LOG_DEFAULTS.items()}
    given.pop("import", None)
    return Options(log_config_file=given.pop("log_config_file", None), settings=Settings(**given), **log)


def variable(name: str) -> str:
    """The environment's variable of an option."""
    return PREFIX + name.replace("-", "_").upper()


def _unknown(environment: Mapping[str, str]) -> list[str]:
    """Variables with the prefix that belong to no option, without those that Kubernetes sets for such a service."""
    known = {variable(name) for name, *_ in OPTIONS}
    of_kubernetes = re.compile(PREFIX + r"(SERVICE_(HOST|PORT\w*)|PORT(_\d+_\w+)?)")
    names = sorted(name for name in environment if name.startswith(PREFIX) and name not in known)
    return [name for name in names if not of_kubernetes.fullmatch(name)]


def _of_environment(parser: argparse.ArgumentParser, name: str, read: Callable[[str], Any], text: str) -> Any:
    try:
        return read(text)
    except argparse.ArgumentTypeError as error:
        parser.error(f"{variable(name)}: {error}")
