"""Matches between players over many openings, and what their results say."""
