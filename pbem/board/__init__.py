"""The kit that games draw their boards with: lines, faces, palette, templates, and the process that
paints. It knows no game.
"""
