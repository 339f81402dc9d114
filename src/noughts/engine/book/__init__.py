"""Books: what is known about positions, so that they need no search. See docs/books.md."""

from noughts.engine.book.book import Book, BookEntry, shipped_book
from noughts.engine.book.file import InvalidBook

__all__ = ["Book", "BookEntry", "InvalidBook", "shipped_book"]
