"""One repository a table (or a few that belong together): statements in, frozen rows out."""
