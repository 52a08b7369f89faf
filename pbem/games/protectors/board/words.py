"""The templates of a board of Protectors of the Realm, and its words, fetched here to be measured
before they are drawn.
"""

from pbem.board.templates import BoardTemplates

TEMPLATES = BoardTemplates("templates", "protectors/board")
say = TEMPLATES.say
