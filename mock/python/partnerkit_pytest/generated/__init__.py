"""Written by tools: see the README for which."""
