# SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scalable vector graphics of shapes, arrows, legends and grids, in the colors of the drawings of the pages."""

from xml.sax.saxutils import escape

INK = "#24292f"
GREY = "#8c959f"
PALE = "#d0d7de"
BLUE, LIGHT_BLUE = "#0969da", "#ddf4ff"
ORANGE, LIGHT_ORANGE = "#bc4c00", "#fff1e5"
GREEN = "#1a7f37"
TILES = ["#eaf5ec", "#fff8dc"]  # of tiles, in turn
ALONE = "#f6f8fa"  # what a call leaves as it is


class Svg:
    def __init__(self, width, height):
        self.width, self.height = width, height
        self.parts = []

    def add(self, tag, content=None, **attributes):
        names = {name.rstrip("_").replace("_", "-"): value for name, value in attributes.items()}
        text = "".join(f' {name}="{value:.4g}"' if isinstance(value, float) else f' {name}="{value}"'
                       for name, value in names.items())
        self.parts.append(f"<{tag}{text}/>" if content is None else f"<{tag}{text}>{content}</{tag}>")

    def rect(self, x, y, width, height, fill, stroke="none", **more):
        self.add("rect", x=x, y=y, width=width, height=height, fill=fill, stroke=stroke, **more)

    def line(self, x1, y1, x2, y2, stroke=INK, width=1.0, **more):
        self.add("line", x1=x1, y1=y1, x2=x2, y2=y2, stroke=stroke, stroke_width=width, **more)

    def polyline(self, points, stroke, width, **more):
        self.add("polyline", points=" ".join(f"{x:.4g},{y:.4g}" for x, y in points), fill="none", stroke=stroke,
                 stroke_width=width, stroke_linejoin="round", **more)

    def circle(self, x, y, radius, fill, stroke="none", **more):
        self.add("circle", cx=x, cy=y, r=radius, fill=fill, stroke=stroke, **more)

    def text(self, x, y, content, fill=INK, size=13, anchor="middle", **more):
        """The middle of the letters is at y."""
        self.add("text", escape(str(content)), x=x, y=y + 0.35 * size, fill=fill, font_size=size, text_anchor=anchor,
                 **more)

    def star(self, x, y, radius=8.0):
        spikes = [(0, -1), (0.22, -0.31), (0.95, -0.31), (0.36, 0.12), (0.59, 0.81), (0, 0.38), (-0.59, 0.81),
                  (-0.36, 0.12), (-0.95, -0.31), (-0.22, -0.31)]
        self.add("polygon", points=" ".join(f"{x + radius * u:.4g},{y + radius * v:.4g}" for u, v in spikes),
                 fill="#bf8700", stroke="#ffffff", stroke_width=1)

    def __str__(self):
        head = (f'<svg xmlns="http://www.w3.org/2000/svg" width="{self.width}" height="{self.height}" '
                f'viewBox="0 0 {self.width} {self.height}" font-family="Helvetica, Arial, sans-serif">')
        background = f'<rect width="{self.width}" height="{self.height}" fill="#ffffff"/>'
        return "\n".join([head, background, *self.parts, "</svg>"]) + "\n"


class Grid:
    """The plane that a path crosses: what is taken of one input to the right, of the other one downwards."""

    def __init__(self, svg, left, top, step, columns, rows):
        self.svg, self.left, self.top, self.step = svg, left, top, step
        self.columns, self.rows = columns, rows

    def at(self, column, row):
        return self.left + column * self.step, self.top + row * self.step

    def draw_lines(self):
        for column in range(self.columns + 1):
            self.svg.line(*self.at(column, 0), *self.at(column, self.rows), PALE)
        for row in range(self.rows + 1):
            self.svg.line(*self.at(0, row), *self.at(self.columns, row), PALE)

    def label_columns(self, labels, fill, color):
        for column, label in enumerate(labels):
            x, y = self.at(column, 0)
            self.svg.rect(x + 2, y - 28, self.step - 4, 22, fill, color)
            self.svg.text(x + self.step / 2, y - 17, label, color)

    def label_rows(self, labels, fill, color):
        for row, label in enumerate(labels):
            x, y = self.at(0, row)
            self.svg.rect(x - 34, y + (self.step - 22) / 2, 28, 22, fill, color)
            self.svg.text(x - 20, y + self.step / 2, label, color)

    def shade_tiles(self, corners):
        for number, (first, last) in enumerate(zip(corners, corners[1:])):
            x, y = self.at(*first)
            self.svg.rect(x, y, (last[0] - first[0]) * self.step, (last[1] - first[1]) * self.step, TILES[number % 2])

    def draw_diagonal(self, diagonal):
        right, down = min(diagonal, self.columns), min(diagonal, self.rows)
        self.svg.line(*self.at(right, diagonal - right), *self.at(diagonal - down, down), GREY, 1.2,
                      stroke_dasharray="5 4")

    def draw_path(self, points, color, width, **more):
        self.svg.polyline([self.at(*point) for point in points], color, width, stroke_linecap="round", **more)


def legend(svg, x, y, entries):
    """Lines of (kind, color, text)."""
    for kind, color, text in entries:
        if kind == "line":
            svg.line(x, y, x + 26, y, color, 3.5)
        elif kind == "dashes":
            svg.line(x, y, x + 26, y, color, 1.6, stroke_dasharray="5 4")
        elif kind == "dots":
            svg.line(x, y, x + 26, y, color, 2.0, stroke_dasharray="2 3")
        elif kind == "box":
            svg.rect(x, y - 8, 26, 16, color, GREY)
        elif kind == "half":
            svg.rect(x, y - 8, 26, 16, ALONE, GREY)
            svg.rect(x + 8, y - 8, 10, 16, color)
        elif kind == "star":
            svg.star(x + 13, y)
        svg.text(x + 36, y, text, INK, 12, "start")
        y += 22
