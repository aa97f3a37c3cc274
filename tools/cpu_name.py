# SPDX-License-Identifier: MIT
"""Names the CPU that a measurement was made on."""
import platform


def cpu_name():
    """Returns the CPU's name as Linux gives it, else the machine's architecture."""
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        return next((line.split(":")[1].strip() for line in file if line.startswith("model name")), platform.machine())
