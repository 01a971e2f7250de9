"""The HTTP door: operations, errors, pages."""
