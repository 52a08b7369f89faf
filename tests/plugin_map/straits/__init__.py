"""Straits: armies and fleets of three powers round an inner sea, as a package of its own."""
