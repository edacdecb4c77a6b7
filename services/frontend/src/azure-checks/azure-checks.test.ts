import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, beforeEach, describe, test } from "node:test";
import { CloudError } from "@keelson/arm";
import type { AzureClients } from "@keelson/azure";
import { Secret, silentLogger, systemClock } from "@keelson/base";
import { ManualClock } from "@keelson/base/testing";
import { type OpenShiftCluster, type SubscriptionDocument, vmSizes } from "@keelson/model";
import {
  clientId,
  clientSecret,
  location,
  operatorRoles,
  startTestAzure,
  subscriptionId,
  type TestAzure,
  type TestPrincipal,
  tenantId,
} from "@keelson/sim-azure/testing";
import { clusterAddress, clusterBody } from "../testing/cluster-request.ts";
import { assertDetails, assertError, setSubscription } from "../testing/clusters.ts";
import { operationsOf } from "../testing/fake-worker.ts";
import { startTestFrontend, type TestFrontend } from "../testing/test-frontend.ts";
import type { AzureAccess } from "./rights.ts";
import { azureChecks } from "./run-checks.ts";
import { SkuCatalogue } from "./sku-catalogue.ts";

const signal = AbortSignal.timeout(900_000);
const clusterClientId = randomUUID();
/** Clock that is advanced before each test, so that cached responses of Azure expire. */
const clock = new ManualClock();
let azure: TestAzure;
let frontend: TestFrontend;
const started = new AsyncDisposableStack();
/** Principal of the service. Default: the owner of the subscription. */
let service: TestPrincipal | undefined;
/** Hook that is called once while a request waits for Azure. */
let meanwhile: (() => Promise<void>) | undefined;
before(async () => {
  const [displayName, secret] = ["test", "secret-of-the-cluster"];
  azure = started.use(
    await startTestAzure({
      principals: [
        { clientId, clientSecret, displayName, roles: operatorRoles },
        { clientId: clusterClientId, clientSecret: new Secret(secret), displayName },
      ],
    }),
  );
  const checks = azureChecks({ access: accessTo(azure), clock, logger: silentLogger });
  frontend = started.use(
    await startTestFrontend({
      azureChecks: {
        async find(creation, signal) {
          const act = meanwhile;
          meanwhile = undefined;
          await act?.();
          return checks.find(creation, signal);
        },
      },
    }),
  );
  await setSubscription(frontend, subscriptionId, "Registered");
});
beforeEach(async () => {
  azure.change({ quotas: null, skus: null });
  await clock.advance(10 * 60_000);
  await azure.clients.features.features.unregister("Microsoft.Compute", "EncryptionAtHost");
});
after(() => started.disposeAsync());

function accessTo(from: TestAzure): AzureAccess {
  return {
    connectAzure: (id) => from.connect({ subscriptionId: id, ...(service ? { credential: service } : {}) }),
    connectAzureAs: (credential, id) => from.connect({ credential, subscriptionId: id }),
    tenantIdOf: () => tenantId,
  };
}

type Body = ReturnType<typeof clusterBody>;

/** Sends a PUT for a cluster. Each master has 8 cores and each worker has 4 cores. */
function put(change: (body: Body) => void = () => {}) {
  const address = clusterAddress(subscriptionId, `c${randomUUID().slice(0, 8)}`);
  const body = clusterBody(address);
  change(body);
  return { address, response: frontend.client.put(address.url, body) };
}

const encrypted = (body: Body) => {
  body.properties.masterProfile.encryptionAtHost = "Enabled";
  for (const profile of body.properties.workerProfiles) profile.encryptionAtHost = "Enabled";
};
const quotaText = (quota: string, limit: number, needed: number) =>
  `Resource quota of ${quota} exceeded. Maximum allowed: ${limit}, Current in use: 0, Additional requested: ${needed}.`;
const masterSku = "properties.masterProfile.VMSize";

const refusals: readonly {
  readonly name: string;
  readonly prepare: () => unknown;
  readonly change?: (body: Body) => void;
  readonly code?: string;
  readonly target?: string;
  readonly message: string;
}[] = [
  {
    name: "a size that the region does not have",
    prepare: () => azure.change({ skus: { [location]: { Standard_D8s_v3: "absent" } } }),
    target: masterSku,
    message: "The selected SKU 'Standard_D8s_v3' is unavailable in region 'eastus'",
  },
  {
    name: "a size of workers that the subscription may not have",
    prepare: () => azure.change({ skus: { [location]: { Standard_D4s_v3: "restricted" } } }),
    target: "properties.workerProfiles[0].VMSize",
    message: "The selected SKU 'Standard_D4s_v3' is restricted in region 'eastus' for selected subscription",
  },
  {
    name: "encryption at host on a size that has none",
    prepare: () => azure.clients.features.features.register("Microsoft.Compute", "EncryptionAtHost"),
    change: (body) => {
      body.properties.masterProfile.vmSize = "Standard_M128ms";
      body.properties.masterProfile.encryptionAtHost = "Enabled";
    },
    target: "properties.masterProfile.encryptionAtHost",
    message: "The selected SKU 'Standard_M128ms' does not support encryption at host.",
  },
  {
    name: "encryption at host without the feature",
    prepare: () => {},
    change: encrypted,
    target: "properties.masterProfile.encryptionAtHost",
    message: `Microsoft.Compute/EncryptionAtHost feature is not registered on subscription ${subscriptionId}. Please register the feature on your subscription before creating the cluster.`,
  },
  // Masters and the bootstrap machine need 4 x 8 cores, and workers need 3 x 4 cores. In each case, the quota is one core too
  // small.
  {
    name: "cores that are short by one",
    prepare: () => azure.change({ quotas: { [location]: { cores: 43 } } }),
    code: "ResourceQuotaExceeded",
    message: quotaText("cores", 43, 44),
  },
  {
    name: "cores of a family that are short by one",
    prepare: () => azure.change({ quotas: { [location]: { standardDSv3Family: 43 } } }),
    code: "ResourceQuotaExceeded",
    message: quotaText("standardDSv3Family", 43, 44),
  },
  {
    name: "machines that are short by one",
    prepare: () => azure.change({ quotas: { [location]: { virtualMachines: 6 } } }),
    code: "ResourceQuotaExceeded",
    message: quotaText("virtualMachines", 6, 7),
  },
  {
    name: "disks that are short by one",
    prepare: () => azure.change({ quotas: { [location]: { PremiumDiskCount: 6 } } }),
    code: "ResourceQuotaExceeded",
    message: quotaText("PremiumDiskCount", 6, 7),
  },
  {
    name: "public addresses that are short by one",
    prepare: () => azure.change({ quotas: { [location]: { PublicIPAddresses: 2 } } }),
    code: "ResourceQuotaExceeded",
    message: quotaText("PublicIPAddresses", 2, 3),
  },
  ...["Microsoft.Authorization", "Microsoft.Compute", "Microsoft.Network", "Microsoft.Storage"].map(
    (namespace) => ({
      name: `${namespace} that is not registered`,
      prepare: () => azure.clients.resources.providers.unregister(namespace),
      code: "ResourceProviderNotRegistered",
      message: `The resource provider '${namespace}' is not registered.`,
    }),
  ),
];

describe("a new cluster is refused, and nothing of it stored, for", () => {
  for (const { name, prepare, change, code = "InvalidParameter", target, message } of refusals) {
    test(name, async () => {
      await prepare();
      try {
        const { address, response } = put(change);
        const answer = await response;
        assertError(answer, 400, code, message);
        assert.equal(answer.error.target, target);
        assert.equal(answer.error.details, undefined, "one fault needs no details");
        assert.equal(answer.headers["azure-asyncoperation"], undefined);
        assert.equal((await frontend.client.get(address.url)).status, 404);
        assert.deepEqual(await operationsOf(frontend.database, subscriptionId), []);
      } finally {
        if (code === "ResourceProviderNotRegistered") {
          await azure.clients.resources.providers.register(message.split("'")[1] ?? "");
        }
      }
    });
  }
});

test("a creation reports all faults, the first as the error itself: size, feature, quotas, providers", async () => {
  azure.change({
    skus: { [location]: { Standard_D8s_v3: "restricted", Standard_D4s_v3: "absent" } },
    quotas: { [location]: { cores: 1, PublicIPAddresses: 0 } },
  });
  await azure.clients.resources.providers.unregister("Microsoft.Storage");
  const { error } = await put(encrypted).response;
  await azure.clients.resources.providers.register("Microsoft.Storage");
  assertDetails(error, [
    ["InvalidParameter", masterSku],
    ["InvalidParameter", "properties.workerProfiles[0].VMSize"],
    ["InvalidParameter", "properties.masterProfile.encryptionAtHost"],
    ["ResourceQuotaExceeded", undefined],
    ["ResourceQuotaExceeded", undefined],
    ["ResourceProviderNotRegistered", undefined],
  ]);
});

test("checks without Azure come first: a disabled version, a client ID in use", async () => {
  azure.change({ quotas: { [location]: { cores: 1 } } });
  const disabled = await put((body) => {
    body.properties.clusterProfile.version = "4.10.1";
  }).response;
  assertError(disabled, 400, "InvalidParameter", "The requested OpenShift version '4.10.1' is invalid.");
  azure.change({ quotas: null });
  const first = put(encrypted);
  await azure.clients.features.features.register("Microsoft.Compute", "EncryptionAtHost");
  await first.response;
  const created = put();
  assert.equal((await created.response).status, 201);
  azure.change({ quotas: { [location]: { cores: 1 } } });
  const twin = await put((body) => {
    body.properties.clusterProfile.resourceGroupId = `/subscriptions/${subscriptionId}/resourceGroups/aro-${created.address.name}`;
  }).response;
  assertError(twin, 400, "DuplicateResourceGroup");
});

test("a subscription that Azure does not know is named", async () => {
  const address = clusterAddress(randomUUID());
  await setSubscription(frontend, address.subscriptionId, "Registered");
  const answer = await frontend.client.put(address.url, clusterBody(address));
  assertError(answer, 400, "InvalidSubscriptionState");
  const text = new RegExp(
    `^Request is not allowed in subscription '${address.subscriptionId}', which Azure does not know: .`,
  );
  assert.match(`${answer.error.message}`, text);
});

test("a subscription suspended during Azure's response gets no cluster", async () => {
  meanwhile = () => setSubscription(frontend, subscriptionId, "Suspended");
  const { address, response } = put();
  const answer = await response;
  await setSubscription(frontend, subscriptionId, "Registered");
  const message = "Request is not allowed in subscription in state 'Suspended'.";
  assertError(answer, 400, "InvalidSubscriptionState", message);
  assert.equal((await frontend.client.get(address.url)).status, 404);
});

test("an unresponsive Azure is reported as such, with the time to wait, and nothing is stored", async () => {
  meanwhile = () =>
    Promise.reject(new CloudError("InternalServerError", "Azure did not answer.", { status: 503 }));
  const { address, response } = put();
  const answer = await response;
  assertError(answer, 503, "InternalServerError", "Azure did not answer.");
  assert.equal(answer.headers["retry-after"], "10");
  assert.equal((await frontend.client.get(address.url)).status, 404);
});

test("an update sends no request to Azure", async () => {
  const { address, response } = put();
  assert.equal((await response).status, 201);
  azure.change({ quotas: { [location]: { cores: 1 } } });
  assertError(await frontend.client.patch(address.url, {}), 400, "RequestNotAllowed");
});

test("a service without rights in the subscription reports that", async () => {
  service = await azure.register();
  const answer = await put().response.finally(() => {
    service = undefined;
  });
  assertError(answer, 400, "InvalidResourceProviderPermissions");
  assert.match(`${answer.error.message}`, /does not have required permissions on subscription/);
});

describe("rights on the network", () => {
  const group = `/subscriptions/${subscriptionId}/resourceGroups/Group`;
  const networkId = `${group}/providers/Microsoft.Network/virtualNetworks/vnet`;
  const withPrincipal = (body: Body) => {
    body.properties.servicePrincipalProfile = {
      clientId: clusterClientId,
      clientSecret: "secret-of-the-cluster",
    };
  };
  before(async () => {
    const { resources, network, call } = azure.clients;
    await resources.resourceGroups.createOrUpdate("Group", { location }, call(signal));
    const table = await network.routeTables.createOrUpdate("Group", "routes", { location }, call(signal));
    await network.virtualNetworks.createOrUpdate(
      "Group",
      "vnet",
      {
        location,
        addressSpace: { addressPrefixes: ["10.0.0.0/16"] },
        subnets: [
          { name: "master", addressPrefix: "10.0.0.0/24", routeTable: { id: table.id ?? "" } },
          { name: "worker", addressPrefix: "10.0.1.0/24" },
        ],
      },
      call(signal),
    );
  });

  test("that the cluster's service principal lacks are all reported and reject the creation", async () => {
    const { address, response } = put(withPrincipal);
    const answer = await response;
    const who = `The cluster service principal (Application ID: ${clusterClientId}) does not have required permissions on`;
    assertError(answer, 400, "InvalidServicePrincipalPermissions", `${who} vnet '${networkId}'.`);
    const details = Array.isArray(answer.error.details) ? answer.error.details : [];
    assert.deepEqual(
      details.map((each: unknown) => Object(each).message),
      [
        `${who} vnet '${networkId}'.`,
        `${who} subnet '${networkId}/subnets/master'.`,
        `${who} subnet '${networkId}/subnets/worker'.`,
        `${who} route table '${group}/providers/Microsoft.Network/routeTables/routes'.`,
      ],
    );
    assert.equal((await frontend.client.get(address.url)).status, 404);
  });

  test("that are complete or cannot be checked allow the creation", async () => {
    const absent = await put((body) => {
      withPrincipal(body);
      body.properties.masterProfile.subnetId = `${networkId}x/subnets/master`;
      for (const profile of body.properties.workerProfiles) profile.subnetId = `${networkId}x/subnets/worker`;
    }).response;
    assert.equal(absent.status, 201, "a missing network is reported by the workers");
    const unknown = await put().response;
    assert.equal(unknown.status, 201, "so is a principal that does not sign in");
  });
});

describe("an Azure without a verdict", () => {
  const cluster = (): OpenShiftCluster => ({
    id: "/x",
    name: "x",
    type: "x",
    location,
    properties: {
      provisioningState: "Creating",
      architectureVersion: 1,
      createdAt: "2026-01-01T00:00:00Z",
      createdBy: "test",
      clusterProfile: { domain: "x", version: "4.19.2", resourceGroupId: "/x" },
      networkProfile: {
        podCidr: "",
        serviceCidr: "",
        outboundType: "Loadbalancer",
        preconfiguredNSG: "Disabled",
      },
      masterProfile: { vmSize: "Standard_D8s_v3", subnetId: "/x" },
      workerProfiles: [],
      apiserverProfile: { visibility: "Public" },
      ingressProfiles: [],
    },
  });
  const subscription: SubscriptionDocument = {
    id: subscriptionId,
    partitionKey: subscriptionId,
    deleting: false,
    subscription: { state: "Registered" },
  };

  test("in time causes 503 with a remedy", async () => {
    const hanging = azure.connect({
      beforeRequest: () => {
        throw Object.assign(new Error("connection lost"), { code: "ECONNRESET" });
      },
    });
    const checks = azureChecks({
      access: { ...accessTo(azure), connectAzure: () => hanging },
      clock: systemClock,
      logger: silentLogger,
      limitMs: 50,
    });
    await assert.rejects(checks.find({ cluster: cluster(), subscription }, signal), (error) => {
      assert.ok(error instanceof CloudError);
      assert.equal(error.status, 503);
      assert.match(error.body.message, /^Azure did not answer .* send the request again\.$/);
      return true;
    });
  });

  test("is not hidden when the fault is the service's own", async () => {
    const broken = azure.connect({
      beforeRequest: () => {
        throw new TypeError("a defect");
      },
    });
    const checks = azureChecks({
      access: { ...accessTo(azure), connectAzure: () => broken },
      clock: systemClock,
      logger: silentLogger,
    });
    await assert.rejects(checks.find({ cluster: cluster(), subscription }, signal), /a defect/);
  });

  test("has a lower priority than known violations", async () => {
    azure.change({ skus: { [location]: { Standard_D8s_v3: "absent" } } });
    const half: AzureClients = {
      ...azure.connect(),
      resources: azure.connect({
        beforeRequest: () => {
          throw new TypeError("a defect");
        },
      }).resources,
    };
    const checks = azureChecks({
      access: { ...accessTo(azure), connectAzure: () => half },
      clock: systemClock,
      logger: silentLogger,
    });
    const [violation] = await checks.find({ cluster: cluster(), subscription }, signal);
    assert.equal(violation?.target, masterSku);
  });
});

describe("the list of sizes", () => {
  const place = { subscriptionId, location, fresh: false };

  test("is cached for minutes, and read again after that or before a rejection", async () => {
    const clock = new ManualClock();
    const catalogue = new SkuCatalogue(clock, 60_000);
    const first = await catalogue.get(azure.clients, place, signal);
    azure.change({ skus: { [location]: { Standard_D8s_v3: "absent" } } });
    const second = await catalogue.get(azure.clients, place, signal);
    assert.deepEqual([first.kept, second.kept, second.skus.has("Standard_D8s_v3")], [false, true, true]);
    const fresh = await catalogue.get(azure.clients, { ...place, fresh: true }, signal);
    assert.deepEqual([fresh.kept, fresh.skus.has("Standard_D8s_v3")], [false, false]);
    azure.change({ skus: null });
    await clock.advance(5 * 60_000);
    assert.ok((await catalogue.get(azure.clients, place, signal)).skus.has("Standard_D8s_v3"));
  });

  test("has every size that clusters may use", async () => {
    const { skus } = await new SkuCatalogue(systemClock, 60_000).get(azure.clients, place, signal);
    for (const { name, encryptionAtHost } of vmSizes) {
      assert.deepEqual(skus.get(name), { restricted: false, encryptionAtHost, zones: ["1", "2", "3"] }, name);
    }
  });
});
