"""How scripted players think and word their orders in Fortresses."""
