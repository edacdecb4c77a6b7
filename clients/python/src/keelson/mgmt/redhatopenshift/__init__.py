# Made by `make generate` from api/, where changes belong.
"""The client of API version 2025-07-25, and of others by its keyword `api_version`."""

from ._version import VERSION as __version__
from .v2025_07_25 import AzureRedHatOpenShiftClient

__all__ = ["AzureRedHatOpenShiftClient", "__version__"]
