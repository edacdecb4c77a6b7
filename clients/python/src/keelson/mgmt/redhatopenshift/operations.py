# Made by `make generate` from api/, where changes belong.
from .v2025_07_25.operations import *
from .v2025_07_25.operations import __all__ as __all__
