"""Tests of the picture of the court."""
