import { isPlainObject } from "@keelson/base";
import type { FaultView } from "../api/faults.ts";
import type { LoggedRequest } from "../api/requests.ts";
import type { World, WorldCall, WorldFacts, WorldResponse } from "../world/world.ts";

export const exampleFacts: WorldFacts = {
  subscriptionId: "7a3036d1-60a1-4605-8a41-44955e050804",
  tenantId: "64dc69e4-d083-49fc-9569-ebece1dd1408",
  location: "eastus",
  portal: "https://localhost:8445",
};

const subscription = `/subscriptions/${exampleFacts.subscriptionId}`;
export const demoId = `${subscription}/resourceGroups/demo/providers/Microsoft.RedHatOpenShift/openShiftClusters/demo`;
const managedGroup = `${subscription}/resourceGroups/aro-demo`;
const machines = ["demo-x7k2p-master-0", "demo-x7k2p-worker-eastus1-abcde"];
/** HTML that the pages must escape. */
const hostile = "<img src=x onerror=alert(1)>";

const cluster = {
  id: demoId,
  name: "demo",
  properties: {
    provisioningState: "Succeeded",
    clusterProfile: { version: "4.19.24", resourceGroupId: managedGroup },
    apiserverProfile: { visibility: "Public" },
    masterProfile: { vmSize: "Standard_D8s_v3" },
    workerProfiles: [{ vmSize: "Standard_D4s_v3", count: 3 }],
    workerProfilesStatus: [{ vmSize: "Standard_D4s_v3", count: 4 }],
  },
};

const machineSet = {
  metadata: { name: "demo-x7k2p-worker-eastus1", namespace: "openshift-machine-api", resourceVersion: "7" },
  spec: { replicas: 1, selector: {} },
  status: { readyReplicas: 1 },
};

const clusterVersion = {
  metadata: { name: "version" },
  spec: { channel: "stable-4.19" },
  status: {
    availableUpdates: [{ version: "4.19.26", image: "quay.io/release@sha256:26" }],
    history: [{ state: "Completed", version: "4.19.24" }],
  },
};

const lists: Readonly<Record<string, readonly object[]>> = {
  [`${subscription}/providers/Microsoft.RedHatOpenShift/openShiftClusters`]: [cluster],
  [`${subscription}/resourceGroups`]: [
    { id: managedGroup, name: "aro-demo", location: "eastus", managedBy: demoId, properties: {} },
    { id: `${subscription}/resourceGroups/demo`, name: "demo", location: "eastus", properties: {} },
  ],
  [`${managedGroup}/resources`]: [
    {
      id: `${managedGroup}/providers/Microsoft.Network/routeTables/t`,
      name: "t",
      type: "Microsoft.Network/routeTables",
      location: "eastus",
    },
  ],
  [`${subscription}/resourceGroups/demo/resources`]: [],
  [`${managedGroup}/providers/Microsoft.Compute/virtualMachines`]: machines.map((name, at) => ({
    name,
    zones: [String(at + 1)],
    properties: { hardwareProfile: { vmSize: "Standard_D8s_v3" } },
  })),
  [`${subscription}/providers/Microsoft.Authorization/roleAssignments`]: [
    {
      id: `${subscription}/providers/Microsoft.Authorization/roleAssignments/r`,
      properties: {
        principalId: "p",
        principalType: "ServicePrincipal",
        roleDefinitionId: `${subscription}/providers/Microsoft.Authorization/roleDefinitions/O`,
        scope: subscription,
      },
    },
  ],
  [`${subscription}/providers/Microsoft.Authorization/roleDefinitions`]: [
    { id: "/roleDefinitions/o", properties: { roleName: "Owner" } },
  ],
  "/v1.0/applications": [
    {
      displayName: "cluster demo",
      appId: "a",
      passwordCredentials: [{ keyId: "k", displayName: "one", endDateTime: "2027-11-29T00:00:00Z" }],
      keyCredentials: [{ keyId: "c", displayName: null, endDateTime: "2027-01-01T00:00:00Z" }],
    },
  ],
  "/v1.0/servicePrincipals": [{ id: "p", displayName: "cluster demo", appId: "a" }],
  "/v1.0/users": [{ id: "u", userPrincipalName: "reader@keelson.local" }],
  "/v1.0/groups": [],
};

const exampleRequest: LoggedRequest = {
  sequence: 3,
  at: "2026-11-29T10:00:00.000Z",
  method: "PUT",
  host: "localhost:8444",
  path: "/subscriptions/s/resourceGroups/g?api-version=2021-04-01",
  service: "arm",
  status: 201,
  durationMs: 4,
  caller: "a",
  client: "azsdk-js",
  requestHeaders: { authorization: "Bearer [REDACTED]" },
  requestBody: { bytes: 20, text: JSON.stringify({ location: hostile }) },
  responseHeaders: { "content-type": "application/json" },
  responseBody: { text: '{"cut', isCut: true },
};

/** Simulation that exists only in memory. `calls` records the console's HTTP write requests. */
export interface ExampleWorld extends World {
  readonly calls: readonly (WorldCall & { readonly api: "arm" | "service" })[];
  readonly aheadMs: number;
  /** Status of all later admin API responses. If undefined, requests succeed. */
  serviceStatus: number | undefined;
}

export function exampleWorld(): ExampleWorld {
  const calls: (WorldCall & { readonly api: "arm" | "service" })[] = [];
  const faults: FaultView[] = [{ id: "one", kind: "api-slow", part: "clusters", parameters: { delayMs: 5 } }];
  let aheadMs = 0;
  const world: ExampleWorld = {
    calls,
    get aheadMs() {
      return aheadMs;
    },
    serviceStatus: undefined,
    arm: async (call) => {
      if (call.method !== "GET") calls.push({ ...call, api: "arm" });
      return call.method === "GET" ? read(call) : { status: 202, body: undefined };
    },
    graph: async (call) => read(call),
    service: async (call) => {
      if (world.serviceStatus !== undefined)
        return { status: world.serviceStatus, body: { error: { code: "Broken", message: "no answer" } } };
      if (call.method !== "GET") calls.push({ ...call, api: "service" });
      return call.method === "GET" ? readService(call) : { status: 200, body: undefined };
    },
    faults: {
      list: async () => faults,
      kinds: async () => exampleKinds,
      async set({ kind, parameters, cluster }) {
        const part = exampleKinds.find((each) => each.kind === kind)?.part ?? "azure";
        const fault = { id: `f${faults.length}`, kind, part, parameters, ...(cluster ? { cluster } : {}) };
        faults.push(fault);
        return fault;
      },
      async clear(id) {
        faults.splice(
          faults.findIndex((each) => each.id === id),
          1,
        );
      },
    },
    clock: {
      time: async () => ({ now: new Date(Date.UTC(2026, 10, 29) + aheadMs).toISOString(), aheadMs }),
      async advance(ms) {
        aheadMs += ms;
      },
      async reset() {
        aheadMs = 0;
      },
      vaultExpiries: async () => [
        {
          kind: "key vault certificate",
          owner: "vault",
          name: "serving",
          expires: "2026-12-01T00:00:00.000Z",
        },
      ],
    },
    requests: {
      since: (after) => (after < exampleRequest.sequence ? [exampleRequest] : []),
      find: (sequence) => (sequence === exampleRequest.sequence ? exampleRequest : undefined),
    },
    clusters: {
      choices: {
        versions: ["4.19.24", "4.18.26"],
        masterSizes: ["Standard_D8s_v3"],
        workerSizes: ["Standard_D4s_v3"],
      },
      prepare: async (name) => ({
        clientId: "client",
        clientSecret: "secret",
        masterSubnetId: `/subnets/${name}-master`,
        workerSubnetId: `/subnets/${name}-worker`,
      }),
    },
    orphans: async () => [{ kind: "orphaned-group", id: managedGroup, message: "no cluster owns it" }],
  };
  return world;
}

const exampleKinds = [
  {
    kind: "throttled",
    part: "azure",
    description: "requests get 429",
    parameters: [{ name: "scope", type: "text", required: false, description: "only below this ID" }],
  },
  {
    kind: "api-slow",
    part: "clusters",
    description: "the API server responds late",
    parameters: [{ name: "delayMs", type: "number", required: true, description: "milliseconds" }],
  },
  {
    kind: "disk-full",
    part: "clusters",
    description: "a node is under disk pressure",
    parameters: [{ name: "node", type: "text", required: false, description: "name of the node" }],
  },
] as const;

const missing: WorldResponse = {
  status: 404,
  body: { error: { code: "ResourceNotFound", message: "not found" } },
};

function read({ path }: WorldCall): WorldResponse {
  const [pathname = ""] = path.split("?", 1);
  const value = lists[pathname];
  if (value) return { status: 200, body: { value } };
  if (pathname === demoId) return { status: 200, body: cluster };
  const found = Object.values(lists)
    .flat()
    .find((each) => isPlainObject(each) && String(each.id).toLowerCase() === pathname.toLowerCase());
  return found ? { status: 200, body: found } : missing;
}

function readService({ path }: WorldCall): WorldResponse {
  const { pathname, searchParams } = new URL(path, "https://localhost");
  switch (pathname) {
    case `/admin${demoId}/resources`: {
      const statuses = (code: string) => ({ properties: { instanceView: { statuses: [{ code }] } } });
      const powers = ["PowerState/running", "PowerState/stopped"];
      return { status: 200, body: machines.map((name, at) => ({ name, ...statuses(powers[at] ?? "") })) };
    }
    case `/admin${demoId}/operations`:
      return { status: 200, body: { value: [{ name: "o", status: "Succeeded", percentComplete: 100 }] } };
    case `/admin${demoId}/kubernetesobjects`: {
      const [kind, name] = [searchParams.get("kind"), searchParams.get("name")];
      if (kind === "ClusterVersion.config.openshift.io") return { status: 200, body: clusterVersion };
      if (name === null) return { status: 200, body: { items: [machineSet] } };
      return name === machineSet.metadata.name ? { status: 200, body: machineSet } : missing;
    }
    default:
      return missing;
  }
}
