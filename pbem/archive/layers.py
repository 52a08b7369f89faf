"""The drawings of all steps as layers that share what is the same, so that a page can hold them
all and change from one to the next.

A drawing is taken apart at its top: a group with a class is a layer of that name (`ground`,
`lands`, `pieces`, `orders`, `battles`, `margins`), what stands between such groups a layer without
a name. Equal layers are there once, and so are equal parts of them; a long group is as many parts
as it has elements, and its tags. Outlines that several layers draw lie in `shapes`, and so do equal
groups that no reader can point at; parts use them by name.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import mode
from xml.etree import ElementTree as ET

from markupsafe import escape

from pbem.board.board import Drawing

LEAST_OUTLINE = 60
LEAST_GROUP = 160
"""Characters from which on sharing is worth a name."""
MOST_PART = 600
"""Characters of a group from which on its elements are parts."""
_SVG = "{http://www.w3.org/2000/svg}"


@dataclass(frozen=True, slots=True)
class Layer:
    """`name` is the class of its group ("": it has none); `parts` are its markup, by their places
    in the list of all: put together they are whole elements.
    """

    name: str
    parts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Layers:
    """`steps` are the layers of each drawing, from the back to the front, by their places in
    `layers`; `width` and `heights` (of each) of what a replay shows, px: all of it, or as far down
    as the drawing says that the map goes (`data-map`), for what stands below it the page says
    itself.
    """

    width: float
    heights: tuple[float, ...]
    shapes: str
    parts: tuple[str, ...]
    layers: tuple[Layer, ...]
    steps: tuple[tuple[int, ...], ...]

    @property
    def height(self) -> float:
        """That of most steps: a page keeps as much room."""
        return mode(self.heights)

    def texts(self) -> Iterator[ET.Element]:
        """All texts that are drawn, as elements with their fonts."""
        layers = ("".join(self.parts[part] for part in layer.parts) for layer in self.layers)
        for markup in (self.shapes, *layers):
            yield from ET.fromstring(f"<g>{markup}</g>").iter("text")  # noqa: S314 - written here


def layers_of(drawings: Sequence[Drawing]) -> Layers:
    """The layers of drawings of one board. ValueError for what is no SVG, or for drawings of
    different widths.
    """
    roots = [_root(drawing.svg) for drawing in drawings]
    sizes = {float(root.get("width", "0")) for root in roots}
    if len(sizes) != 1:
        raise ValueError("the drawings are not of one board")
    found: dict[tuple[str, str], tuple[int, tuple[ET.Element, ...]]] = {}
    steps = []
    for root in roots:
        places = []
        for name, elements in _parts(root):
            key = (name, "".join(_written(element) for element in elements))
            places.append(found.setdefault(key, (len(found), elements))[0])
        steps.append(tuple(places))
    sharing = _Sharing([elements for _, elements in found.values()])
    parts: dict[str, int] = {}
    layers = tuple(
        Layer(
            name,
            tuple(
                parts.setdefault(part, len(parts))
                for one in elements
                for part in sharing.parts(one)
            ),
        )
        for (name, _), (_, elements) in found.items()
    )
    return Layers(
        width=sizes.pop(),
        heights=tuple(float(root.get("data-map", root.get("height", "0"))) for root in roots),
        shapes=sharing.shapes(),
        parts=tuple(parts),
        layers=layers,
        steps=tuple(steps),
    )


def _root(svg: str) -> ET.Element:
    try:
        root = ET.fromstring(svg)  # noqa: S314 - our own templates wrote it
    except ET.ParseError as fault:
        raise ValueError(f"no SVG: {fault}") from fault
    return root


def _parts(root: ET.Element) -> Iterator[tuple[str, tuple[ET.Element, ...]]]:
    """The groups with a class, and what stands between them."""
    loose: list[ET.Element] = []
    for element in root:
        name = element.get("class", "")
        if not name or element.tag != f"{_SVG}g":
            loose.append(element)
            continue
        if loose:
            yield "", tuple(loose)
            loose = []
        yield name, tuple(element)
    if loose:
        yield "", tuple(loose)


def _written(element: ET.Element) -> str:
    return _markup(element, _given(element), "".join(map(_written, element)))


def _given(element: ET.Element) -> str:
    return "".join(f' {name}="{escape(value)}"' for name, value in element.attrib.items())


def _markup(element: ET.Element, given: str, within: str) -> str:
    tag = element.tag.removeprefix(_SVG)
    text = str(escape((element.text or "").strip("\n")))
    return f"<{tag}{given}>{text}{within}</{tag}>" if text or within else f"<{tag}{given}/>"


class _Sharing:
    """What several layers have in common, each under a name of its own."""

    def __init__(self, layers: Sequence[Sequence[ET.Element]]) -> None:
        nodes = [node for elements in layers for one in elements for node in one.iter()]
        outlines = Counter(
            node.get("d", "")
            for node in nodes
            if node.tag == f"{_SVG}path" and "id" not in node.attrib
        )
        self._outlines = _named("o", outlines, LEAST_OUTLINE)
        groups = Counter(
            self._outlined(node)
            for node in nodes
            if node.tag == f"{_SVG}g" and _can_be_shared(node)
        )
        self._groups = _named("g", groups, LEAST_GROUP)

    def written(self, element: ET.Element) -> str:
        """An element that uses what is shared."""
        if self._is_outline(element):
            return self._outlined(element)
        if element.tag == f"{_SVG}g" and _can_be_shared(element):
            name = self._groups.get(self._outlined(element))
            if name is not None:
                return f'<use href="#{name}"/>'
        return _markup(element, _given(element), "".join(map(self.written, element)))

    def parts(self, element: ET.Element) -> Iterator[str]:
        """The same, in pieces that other elements may have too."""
        whole = self.written(element)
        if len(whole) <= MOST_PART or element.tag != f"{_SVG}g" or len(element) < 2:
            yield whole
            return
        yield f"<g{_given(element)}>"
        for child in element:
            yield from self.parts(child)
        yield "</g>"

    def shapes(self) -> str:
        """The shared outlines and groups, to be put among the definitions of the page's picture."""
        paths = (f'<path id="{name}" d="{outline}"/>' for outline, name in self._outlines.items())
        groups = (f'<g id="{name}">{group}</g>' for group, name in self._groups.items())
        return "".join((*paths, *groups))

    def _outlined(self, element: ET.Element) -> str:
        """An element that uses shared outlines alone."""
        if not self._is_outline(element):
            return _markup(element, _given(element), "".join(map(self._outlined, element)))
        rest = {key: value for key, value in element.attrib.items() if key != "d"}
        name = self._outlines[element.attrib["d"]]
        return f'<use href="#{name}"{_given(ET.Element("use", rest))}/>'

    def _is_outline(self, element: ET.Element) -> bool:
        return element.get("d") in self._outlines


def _named(letter: str, counted: Counter[str], least: int) -> dict[str, str]:
    """Names for what is there more than once and at least so long."""
    shared = (text for text, count in counted.items() if count > 1 and len(text) >= least)
    return {text: f"{letter}{number}" for number, text in enumerate(shared)}


def _can_be_shared(group: ET.Element) -> bool:
    """Nothing in it can be pointed at or named."""
    return not any(
        key == "id" or key == "class" or key.startswith("data-")
        for node in group.iter()
        for key in node.attrib
    )
