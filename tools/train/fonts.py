# SPDX-License-Identifier: MIT
"""The fonts that training lines are drawn with, and the families held out for the measure.

Families are listed by name and found through fontconfig (`fc-list`). A family that is not installed is left
out. The Debian packages that hold them are listed in line_reader.md beside this file.
"""

import functools
import re
import subprocess
import sys

from fontTools.ttLib import TTFont

PRINTABLE_ASCII = "".join(chr(code) for code in range(32, 127))

# Never drawn in training. Every family is held out together with its relatives (Carlito is drawn after Lato, and so
# on), because a close relative in the training set would make the measure too kind.
HELD_OUT_FAMILIES = {
    # serif
    "Gentium Plus", "Gentium Book Plus", "PT Serif", "PT Serif Caption", "Caladea",
    # sans
    "Lato", "Carlito", "Cabin", "Cantarell", "PT Sans", "PT Sans Caption", "PT Sans Narrow",
    "Roboto", "Roboto Condensed", "Roboto Slab",
    # monospaced
    "JetBrains Mono", "Courier Prime", "Courier Prime Code", "Courier Prime Sans", "Inconsolata", "PT Mono",
}

TRAINING_FAMILIES = {
    # serif
    "Accanthis ADF Std", "Baskervald ADF Std", "Berenis ADF Pro", "C059", "Caslon", "Charis SIL", "CMU Concrete",
    "CMU Serif", "DejaVu Serif", "EB Garamond", "Fanwood Text", "FreeSerif", "GFS Didot", "Goudy Bookletter 1911",
    "Junicode Two Beta", "Latin Modern Roman", "Liberation Serif", "Linux Libertine O", "Nimbus Roman", "Noto Serif",
    "Noto Serif Display", "Old Standard TT", "P052", "Prociono", "Romande ADF Std", "STIXGeneral", "TeX Gyre Bonum",
    "TeX Gyre Pagella", "TeX Gyre Schola", "TeX Gyre Termes", "Tinos", "Tribun ADF Std", "URW Bookman", "Vollkorn",
    "Averia Serif GWF",
    # sans
    "Andika", "Arimo", "Averia Sans GWF", "B612", "CMU Bright", "CMU Sans Serif", "Comfortaa", "DejaVu Sans", "Dosis",
    "FreeSans", "GFS Neohellenic", "Gillius ADF", "Go", "Inter", "Inter Display", "Jura", "Karla",
    "Latin Modern Sans", "Liberation Sans", "Liberation Sans Narrow", "Libris ADF Std", "Linux Biolinum O",
    "Mekanus ADF Std", "Nimbus Sans", "Nimbus Sans Narrow", "Noto Sans", "Noto Sans Display",
    "Open Sans", "OpenDyslexic", "Oxygen-Sans", "Play", "Quicksand", "Sora", "TeX Gyre Adventor", "TeX Gyre Heros",
    "TeX Gyre Heros Cn", "Tuffy", "Universalis ADF Std", "URW Gothic", "Verana Sans", "Yanone Kaffeesatz",
    # monospaced
    "Agave", "Anonymous Pro", "B612 Mono", "CMU Typewriter Text", "Cousine", "DejaVu Sans Mono",
    "Fantasque Sans Mono", "Fira Code", "FreeMono", "Go Mono", "GWMonospace", "Hack", "Hermit", "Latin Modern Mono",
    "Latin Modern Mono Light", "League Mono", "Liberation Mono", "Monoid", "mononoki", "Nimbus Mono PS",
    "Noto Sans Mono", "Oxygen Mono", "TeX Gyre Cursor",
}

# Hairline weights lose their strokes at 32 pixels, and small capitals show lower case as upper case.
UNWANTED_STYLE = re.compile(r"hairline|thin|extra-?light|ultra-?light|caps|keyboard|unslanted|dunhill", re.IGNORECASE)


def _covers_printable_ascii(path):
    """True if the font has a glyph for every printable ASCII character."""
    try:
        with TTFont(path, fontNumber=0, lazy=True) as font:
            character_map = font.getBestCmap() or {}
    except Exception as error:  # a damaged or unusual font file must not end a training run
        print(f"fonts: skipping {path}: {error}", file=sys.stderr)
        return False
    return all(ord(character) in character_map for character in PRINTABLE_ASCII)


@functools.lru_cache(maxsize=None)
def find_fonts(held_out):
    """Returns [(family, [file, ...]), ...] sorted by family: of the held-out families, or of the training ones."""
    wanted = HELD_OUT_FAMILIES if held_out else TRAINING_FAMILIES
    listing = subprocess.run(["fc-list", "--format", "%{file}\t%{family[0]}\t%{style[0]}\n"],
                             check=True, capture_output=True, text=True).stdout
    by_family = {}
    for line in sorted(set(listing.splitlines())):
        path, family, style = (line.split("\t") + ["", ""])[:3]
        if family not in wanted or not path.lower().endswith((".ttf", ".otf")):
            continue
        if UNWANTED_STYLE.search(style) or UNWANTED_STYLE.search(path.rsplit("/", 1)[-1]):
            continue
        if path not in by_family.setdefault(family, []) and _covers_printable_ascii(path):
            by_family[family].append(path)
    return [(family, paths) for family, paths in sorted(by_family.items()) if paths]


if __name__ == "__main__":
    for is_held_out in (False, True):
        fonts = find_fonts(is_held_out)
        count = sum(len(files) for _, files in fonts)
        print("held-out:" if is_held_out else "training:", len(fonts), "families,", count, "files")
        for family_name, files in fonts:
            print(f"  {family_name}: {len(files)}")
