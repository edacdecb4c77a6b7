import assert from "node:assert/strict";
import { test } from "node:test";
import { showText } from "./show.ts";

const cluster = {
  id: "/subscriptions/s/resourceGroups/g/providers/Microsoft.RedHatOpenShift/openShiftClusters/demo",
  name: "demo",
  properties: {
    provisioningState: "Failed",
    clusterProfile: { version: "4.19.24" },
    apiserverProfile: { visibility: "Private" },
    ingressProfiles: [{ name: "default", visibility: "Public", ip: "1.2.3.4" }],
    masterProfile: { vmSize: "Standard_D8s_v3" },
    workerProfiles: [{ name: "worker", vmSize: "Standard_D4s_v3", count: 3 }],
    servicePrincipalProfile: { clientId: "c" },
  },
};

test("a cluster is printed with one line for each known property, and control characters are escaped", () => {
  const text = showText({
    cluster,
    health: { state: "Degraded", reason: "NodesNotReady", summary: "a\u001b[2J", since: "" },
    operation: {
      id: "i",
      name: "n",
      status: "Failed",
      startTime: "2026-01-01T00:00:00Z",
      error: { code: "QuotaExceeded", message: "No cores." },
    },
  });
  const rows = Object.fromEntries(
    text
      .trimEnd()
      .split("\n")
      .map((line) => [line.slice(0, 24).trim(), line.slice(24)]),
  );
  assert.deepEqual(rows, {
    Name: "demo",
    ID: cluster.id,
    State: "Failed",
    Health: "Degraded: a\\u001b[2J",
    Version: "4.19.24",
    "API server": "Private",
    Ingress: "1.2.3.4 (Public)",
    Masters: "3 x Standard_D8s_v3",
    Workers: "3 x Standard_D4s_v3 (worker)",
    Identity: "service principal c",
    "Newest operation": "Failed",
    Error: "QuotaExceeded: No cores.",
  });
});

test("the actual machines of the status replace the requested ones", () => {
  const workerProfilesStatus = ["a", "b"].map((name) => ({ name, vmSize: "Standard_D4s_v3", count: 1 }));
  const text = showText({ cluster: { properties: { ...cluster.properties, workerProfilesStatus } } });
  assert.match(text, /^Workers +1 x Standard_D4s_v3 \(a\)\nWorkers +1 x Standard_D4s_v3 \(b\)$/m);
  assert.doesNotMatch(text, /\(worker\)/);
});
