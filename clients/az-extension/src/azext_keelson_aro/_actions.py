"""Parsers of arguments with more than one value."""

import argparse

from azure.cli.core.azclierror import InvalidArgumentValueError


class AddWorkloadIdentity(argparse._AppendAction):
    """Parses `NAME ID`, once per operator."""

    def __call__(self, parser, namespace, values, option_string=None):
        if len(values) != 2:
            raise InvalidArgumentValueError(f"{option_string} requires 2 values in format: `OPERATOR_NAME RESOURCE_ID`")
        super().__call__(parser, namespace, tuple(values), option_string)
