"""Exports of a tournament's data as tables, for spreadsheets and programs."""
