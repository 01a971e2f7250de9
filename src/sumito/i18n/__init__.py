"""Translations: messages as data, gettext catalogues, and the language of the environment.

The library words a message as `messages.Sentence`; a `catalogues.Translator` renders it.
"""
