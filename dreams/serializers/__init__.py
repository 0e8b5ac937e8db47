"""Dreams and what they leave behind on the wire; one module per noun."""
