"""The dream engine: frozen values in, a plan out. No Django, no network, no clock."""
