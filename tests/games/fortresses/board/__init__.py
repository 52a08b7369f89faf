"""Tests of the board of Fortresses."""
