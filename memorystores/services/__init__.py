"""What changes stores, memories, versions and texts; one module per noun."""
