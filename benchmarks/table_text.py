# SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What stands in the cells of the tables, and the lines of a table, as Markdown."""

import re
import textwrap

from results import LABELS, log2_of, microseconds


def label_of(peer, table=""):
    """With code marked as such."""
    label = "Thrust, scan and gather" if (table, peer) == ("intervals", "thrust") else LABELS.get(peer, peer)
    return re.sub(r"\w+(::\w+)+", r"`\g<0>`", label)


def size_name(size):
    return f"2^{log2_of(size)}" if log2_of(size) else f"{size:,}"


def number_of(time):
    return f"{time:.1f}" if time < 100 else f"{time:,.0f}"


def time_of(row):
    return f"{number_of(microseconds(row))} us"


def number_in(unit, row):
    """The time of a row in "ms" or "us"."""
    time = microseconds(row) * (1e-3 if unit == "ms" else 1)
    return f"{time:,.0f}" if time >= 100 else f"{time:.3g}"


def rate_of(row):
    return f"{row['fraction_of_copy']:.2f}" if "fraction_of_copy" in row else f"{row['Gkeys/s']:.3g}"


def times_as_fast(ratio):
    return f"{ratio:.2f}" if ratio >= 1 else f"**{ratio:.2f}, slower**"


def ratio_text(ratio):
    """An intersection of inputs that do not overlap computes nothing: how much faster than a loop that is, is no figure."""
    return f"{ratio:.2f}" if ratio < 100 else "> 100"


def bold_if(is_bold, text):
    return f"**{text}**" if is_bold else text


def lines_of_table(head, rows):
    return "\n".join("| " + " | ".join(cells) + " |" for cells in [head, ["---"] * len(head), *rows])


def in_lines(text):
    return "\n".join(textwrap.wrap(text, 120, break_long_words=False, break_on_hyphens=False))
