"""Fortresses: its words, pages, board and scripted players."""
