# SPDX-License-Identifier: MIT
"""Tables as notebooks show them. All text is escaped: names come from model files."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence


def paragraph(text: str, *, bold: bool = False) -> str:
    """A line of text."""
    escaped = html.escape(text)
    return f"<p><b>{escaped}</b></p>" if bold else f"<p>{escaped}</p>"


def table(header: Sequence[str], rows: Iterable[Sequence[str]], *, words: Iterable[int] = ()) -> str:
    """A table. The columns with the indices `words` are aligned left; all others hold numbers and are aligned right."""
    left = set(words)

    def line(cells: Sequence[str], tag: str) -> str:
        made = []
        for column, cell in enumerate(cells):
            align = "left" if column in left else "right"
            made.append(f'<{tag} style="text-align: {align}">{html.escape(cell)}</{tag}>')
        return f"<tr>{''.join(made)}</tr>"

    body = "".join(line(row, "td") for row in rows)
    return f"<table><thead>{line(header, 'th')}</thead><tbody>{body}</tbody></table>"
