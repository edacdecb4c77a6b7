# Made by `make generate` from api/, where changes belong.
"""Client.

It uses API version 2025-07-25 by default. The keyword argument `api_version` selects a different version.
"""

from ._version import VERSION as __version__
from .v2025_07_25 import AzureRedHatOpenShiftClient

__all__ = ["AzureRedHatOpenShiftClient", "__version__"]
