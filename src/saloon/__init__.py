"""Saloon: table terminals and a judge's station for tournaments of the card game BANG!.

The rooms of the project lie at the top of the repository and are linked into this
namespace (decision 0001), so that ``core/`` is imported as ``saloon.core``.
"""

__version__ = "1.0.0"
