"""The cost of the service against the bare libraries it is made of: `python -m bench`. Numbers to
read; no test checks them.
"""
