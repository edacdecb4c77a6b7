import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { AroCluster } from "@keelson/aro-api";
import { createLogger, silentLogger, systemClock } from "@keelson/base";
import { startTestSubscription, subscriptionSpec, type TestSubscription, vnetId } from "../testing/index.ts";
import { AzureAccess } from "./azure-access.ts";
import { azureCloud } from "./azure-cloud.ts";
import { azureFailure } from "./azure-failure.ts";
import { principalOf, usesWorkloadIdentity } from "./principal.ts";

const signal = AbortSignal.timeout(900_000);
const query = { "api-version": "2024-05-01" };
const cluster = (spec: AroCluster["spec"] = {}): AroCluster => ({
  apiVersion: "aro.openshift.io/v1alpha1",
  kind: "Cluster",
  metadata: { name: "cluster" },
  spec: { azEnvironment: "azurepubliccloud", ...subscriptionSpec, ...spec },
});
let subscription: TestSubscription;
let directory: string;
before(async () => {
  subscription = await startTestSubscription();
  directory = await mkdtemp(join(tmpdir(), "aro-operator-"));
});
after(async () => {
  await subscription[Symbol.asyncDispose]();
  await rm(directory, { recursive: true });
});

const withAccess = (options: Partial<ConstructorParameters<typeof AzureAccess>[0]> = {}) =>
  new AzureAccess({
    environment: subscription.environment,
    clock: systemClock,
    logger: silentLogger,
    ...options,
  });

for (const [name, environment, expected] of [
  ["a client secret", { AZURE_CLIENT_SECRET: "s" }, false],
  ["a token file", { AZURE_FEDERATED_TOKEN_FILE: "f" }, true],
  ["both", { AZURE_CLIENT_SECRET: "s", AZURE_FEDERATED_TOKEN_FILE: "f" }, false],
  [
    "both, and a word that decides",
    {
      AZURE_CLIENT_SECRET: "s",
      AZURE_FEDERATED_TOKEN_FILE: "f",
      AZURE_TOKEN_CREDENTIALS: "WorkloadIdentityCredential",
    },
    true,
  ],
  ["nothing", {}, false],
] as const) {
  test(`${name} is ${expected ? "" : "not "}a workload identity`, () =>
    assert.equal(usesWorkloadIdentity(environment), expected));
}

for (const missing of ["AZURE_CLIENT_ID", "AZURE_TENANT_ID", "AZURE_CLIENT_SECRET"]) {
  test(`without ${missing} the error names it`, async () => {
    const environment = { ...subscription.environment, [missing]: undefined };
    await assert.rejects(withAccess({ environment }).clients(cluster()), {
      code: "AzureNotConfigured",
      message: `${missing} is not set. In a pod, the Secret azure-cloud-credentials in the operator's namespace sets it`,
    });
  });
}

for (const [azEnvironment, armEndpoint, graphAudience] of [
  ["AzurePublicCloud", "https://management.azure.com", "https://graph.microsoft.com/"],
  ["azureUSGovernmentcloud", "https://management.usgovcloudapi.net", "https://graph.microsoft.us/"],
] as const) {
  test(`${azEnvironment} has its own endpoints`, async () => {
    const cloud = await azureCloud(azEnvironment, {});
    assert.deepEqual([cloud.armEndpoint, cloud.graphAudience], [armEndpoint, graphAudience]);
  });
}

for (const [name, spec, environment, message] of [
  ["an unknown cloud", { azEnvironment: "Moon" }, {}, /spec\.azEnvironment of the Cluster is 'Moon'/],
  ["no resource ID", { resourceId: "demo" }, {}, /spec\.resourceId of the Cluster is 'demo'/],
  [
    "an endpoint in the clear",
    {},
    { AZURE_RESOURCE_MANAGER_ENDPOINT: "http://arm" },
    /AZURE_RESOURCE_MANAGER_ENDPOINT is 'http:\/\/arm': it must be an https URL/,
  ],
] as const) {
  test(`${name} is rejected with the setting's name`, async () => {
    const access = withAccess({ environment: { ...subscription.environment, ...environment } });
    await assert.rejects(access.clients(cluster(spec)), { code: "AzureNotConfigured", message });
  });
}

test("a federated token is read from its file at each sign-in", async () => {
  const file = join(directory, "token");
  const environment = {
    AZURE_CLIENT_ID: "c",
    AZURE_TENANT_ID: "t",
    AZURE_FEDERATED_TOKEN_FILE: file,
    AZURE_TOKEN_CREDENTIALS: "WorkloadIdentityCredential",
  };
  const principal = principalOf(environment);
  assert.ok("assertion" in principal);
  for (const token of ["first", "second"]) {
    await writeFile(file, `${token}\n`);
    assert.equal(await principal.assertion(), token);
  }
});

test("resources are reached in a private cloud, with one connection for all", async () => {
  const access = withAccess();
  const clients = await access.clients(cluster());
  assert.equal((await clients.raw.get(vnetId, query, signal)).name, "vnet");
  assert.equal(await access.clients(cluster()), clients);
});

test("newGraphToken returns a new token for each call", async () => {
  const access = withAccess();
  const first = await access.newGraphToken(cluster(), signal);
  assert.notEqual(await access.newGraphToken(cluster(), signal), first);
});

test("an operator without the lease sends no requests", async () => {
  const access = withAccess({
    fence: () => {
      throw new Error("the lease is lost");
    },
  });
  const { raw } = await access.clients(cluster());
  await assert.rejects(raw.get(vnetId, query, signal), /the lease is lost/);
});

test("more requests than are allowed wait", async () => {
  const waits: number[] = [];
  const clock = { ...systemClock, monotonicMs: () => 0, sleep: async (ms: number) => void waits.push(ms) };
  const { raw } = await withAccess({ clock }).clients(cluster());
  for (let request = 0; request < 53; request++) await raw.get(vnetId, query, signal);
  assert.deepEqual(waits, [100, 200, 300]);
});

test("secrets and tokens are not logged", async () => {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  const logger = createLogger({ level: "trace", destination });
  const { raw } = await withAccess({ logger }).clients(cluster());
  await raw.get(vnetId, query, signal);
  assert.ok(lines.length > 0);
  const { AZURE_CLIENT_SECRET: secret = "?" } = subscription.environment;
  assert.ok(
    lines.every((line) => !line.includes(secret) && !line.includes("Bearer") && !line.includes("eyJ")),
  );
});

test("a refusal reads the same each time", () => {
  const refused = (trace: string) =>
    azureFailure(
      new Error(`AADSTS7000215: Invalid client secret provided. Trace ID: ${trace} Timestamp: ${trace}`),
    );
  assert.equal(refused("1"), "AADSTS7000215: Invalid client secret provided.");
  assert.equal(refused("1"), refused("2"));
});
