"""States & Sovereigns: its words, pages, picture and scripted players."""
