"""Looking a service over before (and while) it runs: what is well, what is doubtful, what is
broken, and what to do about it.
"""
