"""The templates of a picture of States & Sovereigns, and its words, fetched here to be measured
before they are drawn.
"""

from pbem.board.templates import BoardTemplates

TEMPLATES = BoardTemplates("templates", "sovereigns/board")
say = TEMPLATES.say
