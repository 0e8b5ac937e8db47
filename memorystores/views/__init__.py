"""The endpoints under /v1/memory_stores; one module per noun."""
