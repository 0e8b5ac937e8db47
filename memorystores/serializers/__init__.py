"""Stores, memories and versions on the wire; one module per noun."""
