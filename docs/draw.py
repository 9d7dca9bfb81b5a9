# SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws what docs/drawings.cpp prints: one SVG for each of its members.

Usage: draw.py DRAWINGS_JSON FOLDER
"""

import json
import pathlib
import sys

from svg import INK, GREY, PALE, BLUE, LIGHT_BLUE, ORANGE, LIGHT_ORANGE, GREEN, TILES, ALONE, Grid, Svg, legend


def corners_of(splits, tile):
    """The points at which tiles begin, and the end."""
    last = len(splits) - 1
    return [(splits[d], d - splits[d]) for d in sorted({*range(0, last, tile), last})]


def draw_elements(svg, x, y, elements, width=30, height=24):
    """A row of boxes (label, fill, color)."""
    for number, (label, fill, color) in enumerate(elements):
        svg.rect(x + number * width, y, width - 3, height, fill, color)
        svg.text(x + number * width + (width - 3) / 2, y + height / 2, label, color)


def steps_of(splits):
    """Which input the path takes an element of at each step, and its number there."""
    for diagonal, (before, after) in enumerate(zip(splits, splits[1:])):
        yield ("a", before) if after > before else ("b", diagonal - before)


def merge_path(data):
    a, b, tile, splits = data["a"], data["b"], data["tile"], data["splits"]
    svg = Svg(720, 560)
    grid = Grid(svg, 90, 90, 42, len(a), len(b))
    corners = corners_of(splits, tile)
    grid.shade_tiles(corners)
    grid.draw_lines()
    grid.label_columns(a, LIGHT_BLUE, BLUE)
    grid.label_rows(b, LIGHT_ORANGE, ORANGE)
    svg.text(grid.left + len(a) * grid.step / 2, 36, "a", BLUE, 16, font_weight="bold")
    svg.text(34, grid.top + len(b) * grid.step / 2, "b", ORANGE, 16, font_weight="bold")
    for diagonal in range(tile, len(a) + len(b), tile):
        grid.draw_diagonal(diagonal)
    grid.draw_path([(split, diagonal - split) for diagonal, split in enumerate(splits)], GREEN, 3.5)
    for corner in corners:
        svg.circle(*grid.at(*corner), 5.5, "#ffffff", GREEN, stroke_width=2.5)
    legend(svg, 470, 110, [("line", GREEN, "merge path"), ("dashes", GREY, f"every {tile}th diagonal"),
                           ("box", TILES[0], "what a tile takes of a and b"), ("box", TILES[1], "the next tile")])
    x = 90
    svg.text(x, 460, "The merged elements, tile by tile:", INK, 13, "start")
    steps = list(steps_of(splits))
    for number, first in enumerate(range(0, len(steps), tile)):
        part = steps[first:first + tile]
        svg.rect(x - 5, 480, 30 * len(part) + 7, 54, TILES[number % 2], PALE)
        draw_elements(svg, x, 486, [(a[i], LIGHT_BLUE, BLUE) if side == "a" else (b[i], LIGHT_ORANGE, ORANGE)
                                    for side, i in part])
        svg.text(x + 15 * len(part) - 2, 522, f"tile {number}", INK, 12)
        x += 30 * len(part) + 14
    return svg


def merged_runs(data):
    runs, tile, splits = data["runs"], data["tile"], data["splits"]
    colors = [(LIGHT_BLUE, BLUE), (LIGHT_ORANGE, ORANGE), ("#dafbe1", GREEN), ("#fbefff", "#8250df")]
    width, left, top, row = 42, 110, 60, 46
    svg = Svg(760, 400)
    svg.text(left, 24, f"Four runs, cut at every {tile}th element of their merge:", INK, 13, "start")
    for r, run in enumerate(runs):
        y = top + r * row
        svg.text(left - 14, y + 14, f"run {r}", colors[r][1], 13, "end", font_weight="bold")
        for number, (first, last) in enumerate(zip(splits, splits[1:])):
            svg.rect(left + first[r] * width - 1, y - 6, (last[r] - first[r]) * width, 40, TILES[number % 2])
        draw_elements(svg, left + 4, y + 2, [(key, *colors[r]) for key in run], width)
    for split in splits[1:-1]:
        points = []
        for r in range(len(runs)):
            x = left + split[r] * width - 1
            points += [(x, top + r * row - 6), (x, top + r * row + 34)]
        svg.polyline(points, GREEN, 2.5)
    y = top + len(runs) * row + 24
    svg.text(left - 80, y, "The merged elements, tile by tile:", INK, 13, "start")
    x = left - 80
    for number, (first, last) in enumerate(zip(splits, splits[1:])):
        part = sorted((runs[r][i], r, i) for r in range(len(runs)) for i in range(first[r], last[r]))
        svg.rect(x - 5, y + 20, 30 * len(part) + 7, 54, TILES[number % 2], PALE)
        draw_elements(svg, x, y + 26, [(key, *colors[r]) for key, r, _ in part])
        svg.text(x + 15 * len(part) - 2, y + 62, f"tile {number}", INK, 12)
        x += 30 * len(part) + 14
    legend(svg, 520, top + 6, [("line", GREEN, "splits"), ("box", TILES[0], "what a tile takes"),
                               ("box", TILES[1], "the next tile")])
    svg.height = y + 96
    return svg


def balanced_path(data):
    a, b, tile, splits, starred = data["a"], data["b"], data["tile"], data["splits"], data["starred"]
    svg = Svg(760, 600)
    grid = Grid(svg, 90, 90, 42, len(a), len(b))
    corners = corners_of(splits, tile)
    equal = [(i, j) for i, x in enumerate(a) for j, y in enumerate(b) if x == y]
    for i, j in equal:
        svg.rect(*grid.at(i, j), grid.step, grid.step, "#f3f4f6")
    grid.draw_lines()
    grid.label_columns(a, LIGHT_BLUE, BLUE)
    grid.label_rows(b, LIGHT_ORANGE, ORANGE)
    svg.text(grid.left + len(a) * grid.step / 2, 36, "a", BLUE, 16, font_weight="bold")
    svg.text(34, grid.top + len(b) * grid.step / 2, "b", ORANGE, 16, font_weight="bold")
    diagonals = range(tile, len(a) + len(b), tile)
    for diagonal in diagonals:
        grid.draw_diagonal(diagonal)
    for i, j in equal:
        if i - a.index(a[i]) == j - b.index(b[j]):
            x, y = grid.at(i + 0.5, j + 0.5)
            svg.circle(x, y, 8, "#ffffff", INK, stroke_width=1.4)
            svg.text(x, y, i - a.index(a[i]), INK, 11)
    merge_splits = data["merge_splits"]
    grid.draw_path([(split, diagonal - split) for diagonal, split in enumerate(merge_splits)], GREY, 2.0,
                   stroke_dasharray="2 4")
    grid.draw_path([(split, diagonal - split) for diagonal, split in enumerate(splits)], GREEN, 3.5)
    for corner in (corners[0], corners[-1]):
        svg.circle(*grid.at(*corner), 5.5, "#ffffff", GREEN, stroke_width=2.5)
    for diagonal in diagonals:
        x, y = grid.at(splits[diagonal], diagonal - splits[diagonal])
        if starred[diagonal]:
            svg.star(x, y, 11)
        else:
            svg.circle(x, y, 5.5, "#ffffff", GREEN, stroke_width=2.5)
    legend(svg, 470, 110, [("line", GREEN, "balanced path"), ("dots", GREY, "merge path"),
                           ("dashes", GREY, f"every {tile}th diagonal"), ("star", None, "starred: it parts a pair"),
                           ("box", "#f3f4f6", "equal keys")])
    svg.circle(483, 110 + 5 * 22, 8, "#ffffff", INK, stroke_width=1.4)
    svg.text(483, 110 + 5 * 22, "0", INK, 11)
    svg.text(506, 110 + 5 * 22, "a pair: equal keys of that rank", INK, 12, "start")

    svg.text(90, 458,
             "Every tile has both elements of its pairs: one more before a starred diagonal, one fewer behind it.", INK,
             13, "start")
    steps = list(steps_of(splits))
    ends = [d + starred[d] for d in sorted({*range(0, len(steps), tile), len(steps)})]
    x = 90
    for number, (first, last) in enumerate(zip(ends, ends[1:])):
        part = steps[first:last]
        svg.rect(x - 5, 480, 30 * len(part) + 7, 82, TILES[number % 2], PALE)
        draw_elements(svg, x, 486, [(a[i], LIGHT_BLUE, BLUE) if side == "a" else (b[i], LIGHT_ORANGE, ORANGE)
                                    for side, i in part])
        for k, ((side, i), (next_side, j)) in enumerate(zip(part, part[1:])):
            if (side, next_side) == ("a", "b") and a[i] == b[j] and i - a.index(a[i]) == j - b.index(b[j]):
                left, right = x + 30 * k + 13, x + 30 * k + 43
                svg.polyline([(left, 512), (left, 519), (right, 519), (right, 512)],
                             INK, 1.6)
        svg.text(x + 15 * len(part) - 2, 533, f"tile {number}", INK, 12)
        svg.text(x + 15 * len(part) - 2, 549, f"{len(part)} elements", INK, 12)
        x += 30 * len(part) + 14
    return svg


def load_balance(data):
    counts, tile, splits = data["counts"], data["tile"], data["splits"]
    items = sum(counts)
    svg = Svg(860, 600)
    grid = Grid(svg, 190, 90, 38, items, len(counts))
    corners = [(row, column) for column, row in corners_of(splits, tile)]  # items to the right
    grid.shade_tiles(corners)
    grid.draw_lines()
    grid.label_columns(range(items), LIGHT_BLUE, BLUE)
    svg.text(grid.left + items * grid.step / 2, 36, "items", BLUE, 15, font_weight="bold")
    for row, count in enumerate(counts):
        x, y = grid.at(0, row)
        svg.rect(x - 128, y + 7, 122, 24, LIGHT_ORANGE, ORANGE)
        said = "empty" if not count else "1 item" if count == 1 else f"{count} items"
        svg.text(x - 67, y + 19, f"{row}: {said}", ORANGE, 12)
    svg.text(grid.left - 67, grid.top - 17, "intervals", ORANGE, 15, font_weight="bold")
    for diagonal in range(tile, items + len(counts), tile):
        grid.draw_diagonal(diagonal)
    grid.draw_path([(diagonal - split, split) for diagonal, split in enumerate(splits)], GREEN, 3.5)
    for corner in corners:
        svg.circle(*grid.at(*corner), 5.5, "#ffffff", GREEN, stroke_width=2.5)
    x = grid.left + items * grid.step + 22
    legend(svg, x, 110, [("line", GREEN, "path"), ("dashes", GREY, f"every {tile}th"), ("box", TILES[0], "a tile"),
                         ("box", TILES[1], "the next")])
    svg.text(60, 436, f"Every tile has {tile} intervals and items together, however long the intervals are:", INK, 13,
             "start")
    x = 60
    steps = list(steps_of(splits))
    for number, first in enumerate(range(0, len(steps), tile)):
        part = steps[first:first + tile]
        svg.rect(x - 5, 456, 34 * len(part) + 7, 54, TILES[number % 2], PALE)
        draw_elements(svg, x, 462, [(f"i{i}", LIGHT_ORANGE, ORANGE) if side == "a" else (i, LIGHT_BLUE, BLUE)
                                    for side, i in part], 34)
        svg.text(x + 17 * len(part) - 2, 498, f"tile {number}", INK, 12)
        x += 34 * len(part) + 14
    svg.text(60, 540, "The interval of every item, which load_balance_search writes:", INK, 13, "start")
    owners = [i for i, count in enumerate(counts) for _ in range(count)]
    draw_elements(svg, 60, 556, [(owner, "#ffffff", ORANGE) for owner in owners])
    return svg


MERGED, COPIED = BLUE, "#f0b72f"


def joined_rows(data):
    """The rows of both sides, a line for each pair, and the rows that a left join and an as-of join write."""
    step, left, top = 54, 120, 50
    svg = Svg(780, 430)

    def x_of(row):
        return left + row * step

    svg.text(left - 20, top, "left", BLUE, 13, "end")
    svg.text(left - 20, top + 110, "right", ORANGE, 13, "end")
    for name, y, fill, color, number_y in [("left", top, LIGHT_BLUE, BLUE, top - 28),
                                           ("right", top + 110, LIGHT_ORANGE, ORANGE, top + 138)]:
        for row, key in enumerate(data[name]):
            svg.rect(x_of(row) - 16, y - 14, 32, 28, fill, color)
            svg.text(x_of(row), y, key, INK, 14)
            svg.text(x_of(row), number_y, row, GREY, 11)
    for i, j in zip(data["left_rows"], data["right_rows"]):
        if j >= 0:
            svg.line(x_of(i), top + 15, x_of(j), top + 95, GREEN, 1.6)
    for row, found in enumerate(data["backward"]):
        if found >= 0 and data["right"][found] != data["left"][row]:
            svg.line(x_of(row), top + 15, x_of(found), top + 95, GREY, 1.4, stroke_dasharray="5 4")

    def numbers(y, title, rows, fill, color):
        svg.text(left - 20, y, title, color, 13, "end")
        for k, row in enumerate(rows):
            svg.rect(x_of(k) - 18, y - 13, 36, 26, fill, color)
            svg.text(x_of(k), y, "none" if row < 0 else row, INK, 12)

    svg.text(left - 18, 235, "left_join: a row for each line, and for a left row without partner", INK, 13, "start")
    numbers(265, "left_rows", data["left_rows"], LIGHT_BLUE, BLUE)
    numbers(297, "right_rows", data["right_rows"], LIGHT_ORANGE, ORANGE)
    svg.text(left - 18, 345, "as_of_join backward: the last right row that is not after a left row", INK, 13, "start")
    numbers(375, "right_rows", data["backward"], LIGHT_ORANGE, ORANGE)
    svg.line(left - 18, 412, left + 12, 412, GREEN, 1.6)
    svg.text(left + 20, 412, "pair of partners", INK, 12, "start")
    svg.line(left + 160, 412, left + 190, 412, GREY, 1.4, stroke_dasharray="5 4")
    svg.text(left + 198, 412, "found by the as-of join alone", INK, 12, "start")
    return svg


def draw_active(svg, top, title, data, heads):
    count, borders, passes = data["count"], data["borders"], data["passes"]
    while passes and not any(passes[-1].values()):
        passes = passes[:-1]
    left, width = 90, 600

    def x_of(position):
        return left + position * width / count

    svg.text(left, top, title, INK, 14, "start", font_weight="bold")
    y = top + 18
    for number, (begin, end) in enumerate(zip(heads, heads[1:] + [count])):
        svg.rect(x_of(begin), y, x_of(end) - x_of(begin), 18, ["#d8b9ff", "#b4e0c0"][number % 2], "#ffffff")
    svg.text(left - 8, y + 9, "segments", INK, 12, "end")
    for row, done in enumerate(passes):
        y = top + 48 + 24 * row
        svg.text(left - 8, y + 9, f"pass {row}", INK, 12, "end")
        for tile, (begin, end) in enumerate(zip(borders, borders[1:])):
            color = MERGED if tile in done["merged"] else COPIED if tile in done["copied"] else ALONE
            svg.rect(x_of(begin) + 0.5, y, x_of(end) - x_of(begin) - 1, 18, color, PALE)
        for border in done["around"]:
            svg.rect(x_of(borders[border]) - 5, y, 10, 18, MERGED, "#ffffff")
        work = [f"{len(done['merged']) + len(done['around'])} merged", f"{len(done['copied'])} copied"]
        said = ", ".join(text for text in work if not text.startswith("0 ")) or "nothing to do"
        svg.text(left + width + 12, y + 9, said, INK, 12, "start")
    return top + 48 + 24 * len(passes)


def active_segments(data):
    svg = Svg(860, 470)
    bottom = draw_active(svg, 30, "segmented_sort: ten segments, 24 tiles", data["segmented"], data["heads"])
    bottom = draw_active(svg, bottom + 34, "locality_sort: nearly sorted, but for one stretch", data["locality"], [0])
    legend(svg, 90, bottom + 24,
           [("box", MERGED, "merged"), ("half", MERGED, "merged around the border of two tiles, in place")])
    legend(svg, 440, bottom + 24, [("box", COPIED, "copied from the other place"), ("box", ALONE, "left alone")])
    svg.height = bottom + 70
    return svg


def odd_even_network(data):
    count, layers = data["count"], data["layers"]
    step, top, left = 30, 96, 70
    columns = []  # (layer, comparators that do not overlap)
    for number, layer in enumerate(layers):
        parts = []
        for i in layer["left"]:
            for part in parts:
                if part[-1] + layer["stride"] < i:
                    part.append(i)
                    break
            else:
                parts.append([i])
        columns += [(number, part) for part in parts]
    xs, x, centers = [], left + 52, {}
    previous = None
    for number, _ in columns:
        if previous is not None:
            is_new_group = layers[number]["group"] != layers[previous]["group"]
            x += 15 if number == previous else 44 if not is_new_group else 84 if number == 1 else 64
        centers.setdefault(number, []).append(x)
        xs.append(x)
        previous = number
    right = x + 32
    svg = Svg(int(right + 50), top + count * step + 20)
    groups = {}
    for number, layer in enumerate(layers):
        groups.setdefault(layer["group"], []).extend(centers[number])
    for index, (group, places) in enumerate(groups.items()):
        beside = max(22, (84 - max(places) + min(places)) / 2)
        x1, x2 = min(places) - beside, max(places) + beside
        svg.rect(x1, top - 20, x2 - x1, (count - 1) * step + 40, TILES[index % 2], rx=6)
        svg.text((x1 + x2) / 2, 26, f"groups of {group}", INK, 13, font_weight="bold")
    for wire in range(count):
        y = top + wire * step
        svg.line(left, y, right, y, GREY, 1.2)
        svg.text(left - 10, y, wire, INK, 12, "end")
    for number, layer in enumerate(layers):
        places = centers[number]
        svg.text((places[0] + places[-1]) / 2, 54, layer["stride"], INK, 12)
    svg.text(left - 10, 54, "stride", INK, 12, "end")
    for (number, part), x in zip(columns, xs):
        for i in part:
            y1, y2 = top + i * step, top + (i + layers[number]["stride"]) * step
            svg.line(x, y1, x, y2, BLUE, 2.0)
            svg.circle(x, y1, 4, BLUE)
            svg.circle(x, y2, 4, BLUE)
    return svg


DRAWINGS = [merge_path, merged_runs, balanced_path, load_balance, joined_rows, active_segments, odd_even_network]


def main():
    data = json.loads(pathlib.Path(sys.argv[1]).read_text())
    folder = pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    for draw in DRAWINGS:
        (folder / f"{draw.__name__}.svg").write_text(str(draw(data[draw.__name__])))


if __name__ == "__main__":
    main()
