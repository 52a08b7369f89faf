"""The court of States & Sovereigns, as a picture."""
