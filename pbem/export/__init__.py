"""A gallery of a real game: its bulletins and boards, and after its end the letters too."""
