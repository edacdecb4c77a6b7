"""Stub of Azure with canned responses that records requests."""

from __future__ import annotations

from types import SimpleNamespace

from azure.core.exceptions import ResourceNotFoundError

SUBSCRIPTION = "00000000-0000-0000-0000-00000000000a"
GROUP = f"/subscriptions/{SUBSCRIPTION}/resourceGroups/group"
VNET = f"{GROUP}/providers/Microsoft.Network/virtualNetworks/net"
MASTER = f"{VNET}/subnets/master"
WORKER = f"{VNET}/subnets/worker"


class FakeArm:
    subscription = SUBSCRIPTION

    def __init__(self, resources=None, permissions=None, assignments=None, definitions=None):
        self.resources = {VNET: {}, MASTER: subnet("10.0.0.0/23"), WORKER: subnet("10.0.2.0/23"), **(resources or {})}
        self.allowed = permissions or {}
        self.assignments = assignments or {}
        self.definitions = definitions or {}
        self.assigned = []
        self.deleted = []

    def network_resource(self, identifier):
        found = self.resources[identifier]
        if isinstance(found, Exception):
            raise found
        return {"id": identifier, "properties": found}

    def permissions(self, identifier):
        return self.allowed.get(identifier, [{"actions": ["*"], "notActions": []}])

    def role_assignments(self, scope):
        found = self.assignments.get(scope, [])
        if isinstance(found, Exception):
            raise found
        return found

    def role_definition(self, identifier):
        return self.definitions[identifier]

    def assign_role(self, name, scope, definition, principal):
        self.assigned.append((scope, definition.split("/")[-1], principal))
        return True

    def delete_identity(self, identifier):
        self.deleted.append(identifier)


def subnet(prefix, **attached):
    return {"addressPrefix": prefix, **{kind: {"id": identifier} for kind, identifier in attached.items()}}


def not_found(text="gone"):
    error = ResourceNotFoundError(text)
    error.status_code = 404
    return error


class Progress:
    def __init__(self):
        self.messages = []

    def add(self, message):
        self.messages.append(message)

    def end(self):
        pass


def command():
    progress = Progress()
    return SimpleNamespace(cli_ctx=SimpleNamespace(get_progress_controller=lambda: progress))


def permission(*actions, without=()):
    return {"actions": list(actions), "notActions": list(without)}
