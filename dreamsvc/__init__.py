"""The project and what every API of it shares."""
