"""`az aro watch`: follows the steps of a cluster's operation until its end."""

import sys
import time

from azure.cli.core.azclierror import AzureResponseError
from azure.core.exceptions import HttpResponseError, ResourceNotFoundError
from azure.core.rest import HttpRequest

from ._output import output
from .vendored._requests import check, origin_of

TERMINAL = ("Succeeded", "Failed", "Canceled")
INTERVAL_SECONDS = 5
LONGEST_INTERVAL_SECONDS = 60


def aro_watch(client, resource_group_name, resource_name, timeout=None):
    return Watch(client, resource_group_name, resource_name, sys.stderr, time).run(timeout)


class Watch:
    """Follows a cluster. Prints changes to standard error, and the final cluster as the command's output."""

    def __init__(self, client, resource_group_name, resource_name, stream, clock):
        self._client = client
        self._place = (resource_group_name, resource_name)
        self._stream = stream
        self._clock = clock
        self._shown = None

    def run(self, timeout):
        until = None if timeout is None else self._clock.monotonic() + timeout
        seen = False
        while True:
            try:
                cluster, url = self._read_cluster()
            except ResourceNotFoundError:
                if not seen:
                    raise
                # The cluster existed when this command started. It is missing now, so it has been deleted.
                self._show("Deleted")
                return None
            seen = True
            state = cluster.provisioning_state
            wait = INTERVAL_SECONDS
            if state in TERMINAL:
                self._show(state)
                return self._ended(cluster)
            operation = None
            if url:
                operation, wait = self._read_operation(url)
            self._show_operation(state, operation or {})
            if until is not None and self._clock.monotonic() + wait > until:
                raise AzureResponseError(f"Cluster {self._place[1]} is still {state} after {timeout} seconds.")
            self._clock.sleep(wait)

    def _ended(self, cluster):
        if cluster.provisioning_state == "Succeeded":
            return output(cluster)
        raise AzureResponseError(
            f"The last operation on cluster {self._place[1]} ended as {cluster.provisioning_state}.",
            "`az monitor activity-log list` has its error.",
        )

    def _read_cluster(self):
        """Returns the cluster, and the URL of its running operation if the service returns it."""
        return self._client.open_shift_clusters.get(
            *self._place,
            cls=lambda run, answer, headers: (answer, run.http_response.headers.get("Azure-AsyncOperation")),
        )

    def _read_operation(self, url):
        """Returns the status of an operation, and the seconds until the next poll."""
        if origin_of(url) != origin_of(self._client._config.base_url):
            return None, INTERVAL_SECONDS  # a token is for its own host only
        try:
            response = self._client.send_request(HttpRequest("GET", url, headers={"Prefer": "keelson-progress"}))
            check(response, (200,))
        except HttpResponseError:
            return None, INTERVAL_SECONDS
        given = response.headers.get("Retry-After", "")
        wait = max(1, min(int(given), LONGEST_INTERVAL_SECONDS)) if given.isdigit() else INTERVAL_SECONDS
        return response.json(), wait

    def _show_operation(self, state, operation):
        properties = operation.get("properties") or {}
        percent, total = operation.get("percentComplete"), properties.get("totalSteps")
        parts = [
            "" if percent is None else f"{percent:3}%",
            f"{properties.get('completedSteps', 0)}/{total}" if total else "",
            properties.get("step") or "",
        ]
        self._show("  ".join([state, *(part for part in parts if part)]))

    def _show(self, text):
        """Prints a line with the time for each change. Control characters in responses are removed."""
        if text == self._shown:
            return
        self._shown = text
        plain = "".join(each for each in text if each.isprintable())
        print(self._clock.strftime("%H:%M:%S"), plain, file=self._stream, flush=True)
