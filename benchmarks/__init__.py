"""Commands that measure: each prints a table of ratios taken within one run."""
