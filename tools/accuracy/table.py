# SPDX-License-Identifier: MIT
"""Writes the results as Markdown, and puts them into a document."""
import collections
import textwrap

from accuracy.formats import ENOUGH, INT8, LEVELS, WEIGHTS_ONLY, good_enough

BEGIN, END = "<!-- accuracy: begin, written by tools/accuracy.py -->", "<!-- accuracy: end -->"
FORMATS = (*LEVELS, *INT8, *WEIGHTS_ONLY)


def rows_of(task, figures):
    """Returns a row of the table for each figure of a task."""
    for index, name in enumerate(task.figures):
        cells = ["-" if figures[form] is None else f"{figures[form][index]:.4f}" for form in FORMATS]
        yield "| " + " | ".join((task.title, name, *cells)) + " |"


def layers_sentence(task, int8, wanted):
    """Returns a sentence that tells which layers of an int8 model are in float, and why."""
    rounded = sum(row["form"] == "int8" for row in int8.layers)
    text = f"{task.title}: {rounded} of {len(int8.layers)} layers"
    never = collections.Counter(row["reason"] for row in int8.layers if row["form"] == "float" and not row["sqnr_db"])
    for reason, count in never.items():
        text += f"; {count} are in float always ({reason})"
    if int8.gate:
        kept = [f"`{row['layer']}`" for row in int8.layers if row["form"] == "float" and row["sqnr_db"]]
        text += f"; the gate `{' '.join(int8.gate)}` keeps {', '.join(kept) or 'none'} in float"
    if not good_enough(task, int8.figures, wanted):
        text += f"; not within {1 - ENOUGH:.0%} of float32 even so"
    return text + "."


def section(results, cpu):
    """Returns the whole text; `results` is a list of (task, figures, int8) from measure_all."""
    lines = [f"CPU: {cpu}. A dash: the model has neither linear layers nor embeddings.", "",
             "| task | figure | " + " | ".join(FORMATS) + " |", "|---|---|" + "---|" * len(FORMATS)]
    for task, figures, _ in results:
        lines += rows_of(task, figures)
    lines += ["", "Samples, and those that ranges of int8 were observed on:", ""]
    for task, _, _ in results:
        lines += _wrapped(f"* {task.title}: {task.samples}; {task.calibration_samples}.")
    for form in INT8:
        lines += ["", f"Layers in {form}:", ""]
        for task, figures, int8 in results:
            lines += _wrapped("* " + layers_sentence(task, int8[form], figures["float32"]))
    return "\n".join(lines) + "\n"


def _wrapped(text):
    return textwrap.wrap(text, 120, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)


def replace_section(document, text):
    """Returns the document with the text between its two marks. Raises ValueError unless it has each mark once, in order."""
    before, begin, rest = document.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not end or document.count(BEGIN) != 1 or document.count(END) != 1:
        raise ValueError(f"expected one line '{BEGIN}', and one '{END}' behind it")
    return f"{before}{begin}\n{text}{end}{after}"
