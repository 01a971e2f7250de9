"""Bulk work on many cores or machines: matches (`match`) and learning (`learn`)."""
