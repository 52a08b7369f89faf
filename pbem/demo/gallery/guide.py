"""The way from every letter that names a rule to the rules, in the archive around the gallery."""

RULES_PAGE = "rules.html"


def rules_url(host: str) -> str:
    """Where letters of a demonstration say that the rules are; a host that exists only within
    it.
    """
    return f"https://{host}/{RULES_PAGE}"


def link_rules(html: str, url: str) -> str:
    """A letter of ours, to lie in a folder of the gallery: its links to the rules lead to the page
    of the archive.
    """
    return html.replace(f'"{url}#', f'"../../{RULES_PAGE}#')
