"""Evaluation of permissions."""

import re


def allows(permissions, action):
    """Returns True if one of the permissions includes the action and does not exclude it."""
    return any(
        _matches(permission.get("actions"), action) and not _matches(permission.get("notActions"), action)
        for permission in permissions
    )


def missing_actions(permissions, actions):
    return [action for action in actions if not allows(permissions, action)]


def _matches(patterns, action):
    return any(
        re.fullmatch(re.escape(pattern).replace(r"\*", ".*"), action, re.IGNORECASE) for pattern in patterns or []
    )
