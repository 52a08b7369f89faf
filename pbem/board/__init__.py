"""The board: a view becomes a scene, a scene a layout of numbers, the layout an SVG, and the SVG a PNG.

Topology is the engine's (`engine.protectors.lands`); this room draws it. Outlines are made once per game (`land`) and
stored; `raster.Rasteriser` draws in a process of its own, so that the event loop is never held.
"""
