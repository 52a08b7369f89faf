"""Pixels that many pictures share, kept within bounds by the painter's process."""

from collections import OrderedDict

import skia

MOST_BYTES = 32_000_000
"""About seven layers of a board: what all tables of a game share, or a few lands."""


class Shelf:
    """Pixels by a key; those used least lately make room."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._held: OrderedDict[bytes, skia.Image] = OrderedDict()

    @property
    def images(self) -> tuple[skia.Image, ...]:
        """All that is kept."""
        return tuple(self._held.values())

    @property
    def bytes_held(self) -> int:
        return sum(image.imageInfo().computeMinByteSize() for image in self._held.values())

    def get(self, key: bytes) -> skia.Image | None:
        """What is kept under this key, if it is."""
        image = self._held.get(key)
        if image is not None:
            self._held.move_to_end(key)
        return image

    def put(self, key: bytes, image: skia.Image) -> None:
        """Keep this, as far as there is room at all."""
        self._held[key] = image
        while self.bytes_held > self._most:
            self._held.popitem(last=False)

    def clear(self) -> None:
        """Forget all."""
        self._held.clear()


KEPT = Shelf(MOST_BYTES)
