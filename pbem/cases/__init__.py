"""Adjudication and reading cases: files that anyone can read, dispute or add to, and the runner
that compares.
"""
