"""All checks of an archive, in the order of their numbers."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from tests.browser import reading, replay
from tests.browser.site import Site

CHECKS: Mapping[str, Callable[[Site], list[str]]] = MappingProxyType(
    {
        "contract": replay.check_contract,
        "requests": reading.check_requests,
        "widths": reading.check_widths,
        "owners": replay.check_owners,
        "addresses": replay.check_addresses,
        "hands": replay.check_hands,
        "without-script": reading.check_without_script,
        "stillness": reading.check_stillness,
        "contrast": reading.check_contrast,
        "pictures": reading.check_pictures,
        "plots": replay.check_plots,
        "bytes": reading.check_bytes,
        "first-screen": replay.check_first_screen,
        "print": reading.check_print,
    }
)

__all__ = ["CHECKS"]
