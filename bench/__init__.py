"""What the service costs beside the bare libraries it is made of: `python -m bench`. Numbers to
read, nothing is asserted.
"""
