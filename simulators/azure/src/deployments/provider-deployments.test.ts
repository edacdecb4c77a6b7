import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, beforeEach, describe, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import type { JsonObject, JsonValue } from "@keelson/base";
import { at, nonEmptyStringAt, objectsAt } from "../base/json.ts";
import type { SimulatedAzureOptions } from "../simulated-azure.ts";
import {
  clientId,
  localCertificates,
  location,
  startTestAzure,
  subscriptionId,
  type TestAzure,
} from "../testing/test-azure.ts";

const signal = AbortSignal.timeout(900_000);
const group = `/subscriptions/${subscriptionId}/resourceGroups/g`;
const cluster = `${group}/providers/Microsoft.RedHatOpenShift/openShiftClusters/one`;
const deployment = `${group}/providers/Microsoft.Resources/deployments/d`;
const version = "?api-version=2025-04-01";

const template = {
  $schema: "x",
  contentVersion: "1.0.0.0",
  parameters: { pullSecret: { type: "securestring" } },
  resources: [
    { type: "Microsoft.Network/routeTables", apiVersion: "2024-05-01", name: "before", location },
    {
      type: "Microsoft.RedHatOpenShift/openShiftClusters",
      apiVersion: "2025-07-25",
      name: "one",
      location,
      dependsOn: ["before"],
      properties: { clusterProfile: { pullSecret: "[parameters('pullSecret')]" } },
    },
    {
      type: "Microsoft.Network/routeTables",
      apiVersion: "2024-05-01",
      name: "after",
      location,
      tags: { console: "[reference('one').consoleProfile.url]" },
    },
  ],
};

interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly body: JsonValue | undefined;
}

/** Behavior of the simulated resource provider: preflight results and cluster creation. */
interface Behaviour {
  preflight: JsonObject;
  status: string;
  /** True if the provider does not respond to creations. */
  silent?: boolean;
}

describe("deployments with resources of a service behind ARM", () => {
  const stack = new AsyncDisposableStack();
  const received: Received[] = [];
  let behaviour: Behaviour;
  let options: Partial<SimulatedAzureOptions>;

  before(async () => {
    const { caPem, tls } = await localCertificates();
    const server = createServer(
      { cert: tls.certificatePem, key: tls.privateKeyPem },
      async (request, response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of request) chunks.push(chunk);
        const { method = "", url = "", headers } = request;
        const text = Buffer.concat(chunks).toString();
        const path = url.split("?")[0] ?? "";
        const body = text === "" ? undefined : JSON.parse(text);
        received.push({ method, path, headers, body });
        if (behaviour.silent && method === "PUT" && path === cluster) return;
        const [status, answer, more] = reply(method, path, String(headers.referer));
        response.writeHead(status, more).end(JSON.stringify(answer));
      },
    );
    stack.defer(() => server.closeAllConnections());
    stack.defer(() => void server.close());
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    const port = typeof address === "object" && address ? address.port : 0;
    const directory = await mkdtemp(join(tmpdir(), "sim-azure-"));
    stack.defer(() => rm(directory, { recursive: true, force: true }));
    options = {
      resourceProvider: { url: `https://localhost:${port}`, caPem },
      state: { kind: "file", path: join(directory, "azure.db") },
    };
  });
  after(() => stack.disposeAsync());
  beforeEach(() => {
    received.length = 0;
    behaviour = { preflight: { status: "Succeeded" }, status: "Creating" };
  });

  function reply(
    method: string,
    path: string,
    referer: string,
  ): readonly [number, JsonObject, Record<string, string>] {
    if (path.endsWith("/preflight")) return [200, behaviour.preflight, {}];
    if (/operationsstatus/i.test(path)) {
      const error = { code: "QuotaExceeded", message: "There is no room." };
      const { status } = behaviour;
      return [200, { status, ...(status === "Failed" ? { error } : {}) }, { "retry-after": "0.02" }];
    }
    if (!path.toLowerCase().startsWith(cluster.toLowerCase())) return [200, { value: [] }, {}];
    const made = received.some(
      (each) => each.method === "PUT" && each.path.endsWith("/openShiftClusters/one"),
    );
    if (method === "GET" && !made)
      return [404, { error: { code: "ResourceNotFound", message: "absent" } }, {}];
    const shown = { id: cluster, properties: { consoleProfile: { url: "https://console" } } };
    if (method !== "PUT") return [200, shown, {}];
    const watch = `${new URL(referer).origin}/subscriptions/${subscriptionId}/providers/Microsoft.RedHatOpenShift/locations/${location}/operationsstatus/x${version}`;
    return [201, shown, { "azure-asyncoperation": watch, "retry-after": "0.02" }];
  }

  const start = async (): Promise<TestAzure> => {
    const azure = await startTestAzure(options);
    await azure.arm("PUT", `${group}${version}`, { location });
    return azure;
  };
  const put = (azure: TestAzure) =>
    azure.arm("PUT", `${deployment}${version}`, {
      properties: { mode: "Incremental", template, parameters: { pullSecret: { value: "s3cret" } } },
    });
  const stateOf = async (azure: TestAzure) => {
    const { json } = await azure.arm("GET", `${deployment}${version}`);
    return { json, state: nonEmptyStringAt(json, "properties", "provisioningState") };
  };
  const until = async (azure: TestAzure, state: string) => {
    for (;;) {
      const seen = await stateOf(azure);
      if (seen.state === state) return seen.json;
      assert.equal(seen.state, "Running");
      await delay(10, undefined, { signal });
    }
  };
  const puts = () => received.filter(({ method, path }) => method === "PUT" && path === cluster);
  const untilPut = async () => {
    while (puts().length === 0) await delay(10, undefined, { signal });
  };

  test("a rejection by the service is returned before anything is written", async () => {
    await using azure = await start();
    behaviour.preflight = {
      status: "Failed",
      error: { code: "InvalidParameter", message: "400: bad domain" },
    };
    const answer = await put(azure);
    assert.equal(answer.status, 400);
    assert.equal(nonEmptyStringAt(answer.json, "error", "code"), "InvalidTemplateDeployment");
    assert.deepEqual(objectsAt(answer.json, "error", "details"), [
      { code: "InvalidParameter", message: "400: bad domain" },
    ]);
    const asked = received.find(({ path }) => path.endsWith("/deployments/d/preflight"));
    const [resource] = objectsAt(asked?.body, "resources");
    assert.equal(nonEmptyStringAt(resource, "properties", "clusterProfile", "pullSecret"), "s3cret");
    assert.equal(nonEmptyStringAt(resource, "apiVersion"), "2025-07-25");
    assert.equal(puts().length, 0);
  });

  test("a restart resumes a deployment and skips existing resources", async () => {
    await (async () => {
      await using azure = await start();
      behaviour.silent = true;
      assert.equal((await put(azure)).status, 201);
      await untilPut();
      assert.equal(nonEmptyStringAt((await put(azure)).json, "error", "code"), "DeploymentActive");
      assert.equal((await stateOf(azure)).state, "Running");
    })();
    behaviour = { ...behaviour, silent: false, status: "Succeeded" };
    await using azure = await start();
    const done = await until(azure, "Succeeded");
    assert.equal(objectsAt(done, "properties", "outputResources").length, 3);
    const written = await azure.arm(
      "GET",
      `${group}/providers/Microsoft.Network/routeTables/after${version}`,
    );
    assert.equal(nonEmptyStringAt(written.json, "tags", "console"), "https://console");
    assert.ok(puts().every(({ headers }) => headers["x-ms-client-app-id"] === clientId));
    assert.equal(JSON.stringify(done).includes("s3cret"), false);
    const operations = await azure.arm("GET", `${deployment}/operations${version}`);
    const list = objectsAt(operations.json, "value");
    assert.deepEqual(
      list.map((each) => at(each, "properties", "provisioningState")),
      ["Succeeded", "Succeeded", "Succeeded"],
    );
  });

  test("a failure after acceptance is reported with the provider's error", async () => {
    await using azure = await start();
    behaviour.status = "Failed";
    await put(azure);
    const failed = await until(azure, "Failed");
    const [detail] = objectsAt(failed, "properties", "error", "details");
    assert.equal(nonEmptyStringAt(detail, "code"), "ResourceDeploymentFailure");
    assert.deepEqual(objectsAt(detail, "details"), [{ code: "QuotaExceeded", message: "There is no room." }]);
  });

  test("a cancelled deployment stays cancelled and writes nothing more", async () => {
    await using azure = await start();
    await azure.arm("DELETE", `${group}/providers/Microsoft.Network/routeTables/after${version}`);
    await put(azure);
    await untilPut();
    assert.equal((await azure.arm("POST", `${deployment}/cancel${version}`)).status, 204);
    assert.equal((await stateOf(azure)).state, "Canceled");
    const again = await azure.arm("POST", `${deployment}/cancel${version}`);
    assert.equal(nonEmptyStringAt(again.json, "error", "code"), "DeploymentCannotBeCancelled");
    behaviour.status = "Succeeded";
    const after = await azure.arm("GET", `${group}/providers/Microsoft.Network/routeTables/after${version}`);
    assert.equal(after.status, 404);
    assert.equal((await azure.arm("DELETE", `${deployment}${version}`)).status, 204);
  });

  test("what-if merges a resource of the service with the existing one", async () => {
    await using azure = await start();
    const properties = { mode: "Incremental", template, parameters: { pullSecret: { value: "s3cret" } } };
    const { json } = await azure.arm("POST", `${deployment}/whatIf${version}`, { properties });
    const change = objectsAt(json, "properties", "changes").find(({ resourceId }) => resourceId === cluster);
    assert.equal(change?.changeType, "Create");
    assert.equal(nonEmptyStringAt(change, "after", "properties", "clusterProfile", "pullSecret"), "*******");
    assert.doesNotMatch(JSON.stringify(json), /s3cret/);
  });
});
