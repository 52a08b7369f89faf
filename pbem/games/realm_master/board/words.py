"""The templates of a table of Realm-Master, and its words, fetched here to be measured before they
are drawn.
"""

from pbem.board.templates import BoardTemplates

TEMPLATES = BoardTemplates("templates", "realm_master/board")
say = TEMPLATES.say
