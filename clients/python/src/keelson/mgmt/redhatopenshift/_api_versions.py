# Made by `make generate` from api/, where changes belong.
"""Oldest first."""

API_VERSIONS = (
    "2019-12-31-preview",
    "2020-04-30",
    "2021-09-01-preview",
    "2022-04-01",
    "2022-09-04",
    "2023-04-01",
    "2023-07-01-preview",
    "2023-09-04",
    "2023-11-22",
    "2024-08-12-preview",
    "2025-07-25",
)
