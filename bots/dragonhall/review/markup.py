"""HTML and SVG as trees of elements, so that every text in them is escaped, whatever it is."""

from __future__ import annotations

from xml.etree import ElementTree
from xml.etree.ElementTree import Element

Child = Element | str


def element(name: str, /, *children: Child, **attributes: str | float) -> Element:
    """One element. ``class_`` is the attribute class, ``aria_label`` is aria-label; numbers have one decimal."""
    made = Element(name, {_attribute(key): _value(value) for key, value in attributes.items()})
    for child in children:
        if isinstance(child, Element):
            made.append(child)
        elif len(made):
            made[-1].tail = (made[-1].tail or "") + child
        else:
            made.text = (made.text or "") + child
    return made


def document(root: Element) -> str:
    """A whole page."""
    return "<!doctype html>\n" + ElementTree.tostring(root, encoding="unicode", method="html") + "\n"


def _attribute(key: str) -> str:
    return key.rstrip("_").replace("_", "-")


def _value(value: str | float) -> str:
    return value if isinstance(value, str) else f"{value:.1f}".removesuffix(".0")
