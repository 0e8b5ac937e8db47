"""A first dream to look at: `manage.py demo`."""
