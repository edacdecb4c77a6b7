import assert from "node:assert/strict";
import type { Response } from "./arm-caller.ts";
import { type Changes, changed, firstVersion, type Service } from "./service.ts";
import { type CreatedByClient, createByClient } from "./typescript-client.ts";
import { until } from "./until.ts";

/**
 * Clusters with overlapping networks. The frontend accepts these clusters, but the backend cannot create them. They make lists of
 * clusters long.
 */
export const failing = [
  "failing0",
  "failing1",
  "failing2",
  "failing3",
  "failing4",
  "failing5",
  "failing6",
  "failing7",
];

/** Names of clusters that exist during the checks. One check deletes `gone`. */
export const living = ["main", "first", "gone", "plugin", "identities", "private"];

/** Clusters that the checks need, and the responses that the service returned during their creation. */
export interface World {
  readonly created: Readonly<Record<string, Response>>;
  /** Responses to create requests with unavailable VM sizes. */
  readonly beforeCreation: Readonly<Record<string, Response>>;
  /** Responses to requests for the cluster `main` during its creation. */
  readonly duringCreation: Readonly<Record<string, Response>>;
  readonly byClient: CreatedByClient;
}

let world: World | undefined;

export function theWorld(): World {
  if (!world) throw new Error("the world is not made");
  return world;
}

/** Creates all clusters concurrently. */
export async function makeWorld(service: Service): Promise<void> {
  const registered = { state: "Registered", properties: { tenantId: service.endpoints.tenantId } };
  await service.arm.put(`/subscriptions/${service.subscriptionId}?api-version=2.0`, registered);
  const { arm } = service;
  // Waits because the service caches the available VM sizes.
  await service.changeAzure({ skus: { eastus: { Standard_L8s: "absent", Standard_L16s: "restricted" } } });
  const workersOf = (vmSize: string) => {
    const body = service.request("other");
    return changed(body, { properties: { workerProfiles: [{ ...worker(body), vmSize }] } });
  };
  const beforeCreation = {
    absent: await arm.put(service.cluster("other"), workersOf("Standard_L8s")),
    restricted: await arm.put(service.cluster("other"), workersOf("Standard_L16s")),
  };
  const created: Record<string, Response> = {};
  created.main = await arm.put(
    service.cluster("main"),
    service.request("main", { properties: { clusterProfile: { version: "", pullSecret: "" } } }),
    {
      referer: "https://management.example.org/anywhere?api-version=2025-07-25",
      "x-ms-arm-resource-system-data": JSON.stringify({
        createdBy: "someone@example.org",
        createdByType: "User",
        createdAt: "2026-01-02T03:04:05Z",
        lastModifiedBy: "someone@example.org",
        lastModifiedByType: "User",
        lastModifiedAt: "2026-01-02T03:04:05Z",
      }),
    },
  );
  const operation = String(created.main.headers["azure-asyncoperation"]);
  const duringCreation = {
    put: await arm.put(service.cluster("main"), service.request("main")),
    patch: await arm.patch(service.cluster("main"), {}),
    delete: await arm.delete(service.cluster("main")),
    listCredentials: await arm.post(service.cluster("main", undefined, "/listCredentials")),
    status: await arm.get(operation),
    result: await arm.get(operation.replace("operationsstatus", "operationresults")),
    cluster: await arm.get(service.cluster("main")),
    taken: await whenTaken(service, operation),
  };
  created.first = await arm.put(
    service.cluster("first", firstVersion),
    service.request("first", {}, "20191231"),
  );
  created.gone = await arm.put(
    service.cluster("gone"),
    service.request("gone", {
      properties: { networkProfile: { outboundType: "", loadBalancerProfile: undefined } },
    }),
  );
  created.plugin = await arm.put(
    service.cluster("plugin", "2021-09-01-preview"),
    service.request(
      "plugin",
      {
        properties: {
          networkProfile: { podCidr: "100.64.0.0/14", softwareDefinedNetwork: "OpenShiftSDN" },
          masterProfile: { encryptionAtHost: "Disabled" },
          workerProfiles: [
            { ...worker(service.request("plugin", {}, "20191231")), encryptionAtHost: "Disabled" },
          ],
        },
      },
      "20191231",
    ),
  );
  const group = `/subscriptions/${service.subscriptionId}/resourceGroups/plugin`;
  await service.azure("PUT", group, "2021-04-01", { location: "eastus" });
  created.private = await arm.put(
    service.cluster("private"),
    service.request("private", {
      properties: {
        networkProfile: { outboundType: "UserDefinedRouting", loadBalancerProfile: undefined },
        apiserverProfile: { visibility: "Private" },
        ingressProfiles: [{ name: "default", visibility: "Private" }],
      },
    }),
  );
  await service.makeIdentities("identities");
  created.identities = await arm.put(service.cluster("identities"), service.identityRequest("identities"));
  for (const name of failing) {
    const overlapping = { properties: { networkProfile: { podCidr: "10.0.0.0/14" } } };
    created[name] = await arm.put(service.cluster(name), service.request(name, overlapping));
  }
  for (const name of [...living, ...failing]) assert.equal(created[name]?.status, 201, created[name]?.text);
  const settle = async (name: string, response: Response) => [name, await service.settle(response)] as const;
  const [byClient, ...ended] = await Promise.all([
    createByClient(service),
    ...Object.entries(created).map(([name, response]) => settle(name, response)),
  ]);
  world = { created, beforeCreation, duringCreation, byClient };
  for (const [name, { status, error }] of ended) {
    const wanted = failing.includes(name) ? "Failed" : "Succeeded";
    assert.equal(status, wanted, `${name}: ${JSON.stringify(error)}`);
  }
}

/** Waits until a worker has started an operation. Returns the operation. */
async function whenTaken(service: Service, operation: string): Promise<Response> {
  let response: Response | undefined;
  await until(async () => {
    response = await service.arm.get(operation, { prefer: "keelson-progress" });
    return Boolean(response.body.properties?.step);
  });
  if (!response) throw new Error("no answer");
  return response;
}

function worker(body: Changes): object {
  const { properties } = body;
  const profiles: unknown =
    typeof properties === "object" ? Reflect.get(properties ?? {}, "workerProfiles") : [];
  return Array.isArray(profiles) ? profiles[0] : {};
}
