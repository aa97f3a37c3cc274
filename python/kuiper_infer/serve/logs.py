# SPDX-License-Identifier: MIT
"""The log: lines of text, or an object of JSON a line, on standard error."""

from __future__ import annotations

import json
import logging
import logging.config
from datetime import UTC, datetime

from kserve.logging import KSERVE_LOGGER_DATE_FORMAT, KSERVE_LOGGER_FORMAT, configure_logging

FORMATS = ("text", "json")
LEVELS = ("debug", "info", "warning", "error")


class JsonFormatter(logging.Formatter):
    """Makes an object of a record: time, level, logger, message, its exception, and the fields that it brings along."""

    def format(self, record: logging.LogRecord) -> str:
        """Returns the object as a line of ASCII."""
        entry = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if record.exc_info:
            entry["exception"] = self.formatException(record.exc_info)
        return json.dumps(entry | getattr(record, "fields", {}), default=str)


def configure(level: str, form: str, config_file: str | None = None) -> None:
    """Configures the service's loggers, KServe's and uvicorn's. KServe leaves configured loggers alone."""
    if config_file is not None:
        configure_logging(config_file)
        return
    formatters = {
        "text": {"format": KSERVE_LOGGER_FORMAT, "datefmt": KSERVE_LOGGER_DATE_FORMAT},
        "json": {"()": JsonFormatter},
    }
    own = {"handlers": ["stderr"], "level": level.upper(), "propagate": False}
    logging.config.dictConfig({
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {form: formatters[form]},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": form}},
        "loggers": {"kserve": own, "uvicorn": own},
        "root": {"handlers": ["stderr"], "level": "ERROR" if level == "error" else "WARNING"},
    })  # fmt: skip
