"""The writing kit: what games make their own pages with."""
