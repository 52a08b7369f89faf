"""The templates of a board of Fortresses, and its words, fetched here to be measured before they
are drawn.
"""

from pbem.board.templates import BoardTemplates

TEMPLATES = BoardTemplates("templates", "fortresses/board")
say = TEMPLATES.say
