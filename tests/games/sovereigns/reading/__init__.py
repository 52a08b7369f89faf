"""Tests of what is read in States & Sovereigns."""
