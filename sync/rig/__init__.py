"""Rigs for tests, benches and the demonstration; no part of a terminal or a station."""
