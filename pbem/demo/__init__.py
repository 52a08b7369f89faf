"""The demonstration: embedded servers and scripted correspondents."""
