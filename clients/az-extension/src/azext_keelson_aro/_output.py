"""Output format of commands: properties without the level `properties`, camel case names, null for missing values."""

from azure.core.serialization import attribute_list
from knack.util import to_camel_case

from .vendored._model import Model


def output(value):
    if isinstance(value, Model):
        return {to_camel_case(name): output(getattr(value, name)) for name in attribute_list(value)}
    if isinstance(value, dict):
        return {key: output(each) for key, each in value.items()}
    if isinstance(value, list):
        return [output(each) for each in value]
    return value


def printed(run, answer, headers):
    """Converts a response. Value of `cls` for the client's operations."""
    return None if answer is None else output(answer)
