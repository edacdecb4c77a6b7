/** Tests the exact responses of the resource provider to invalid requests over HTTPS. */

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { Agent, request } from "node:https";
import { connect } from "node:net";
import { after, before, describe, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { httpConnectTimeoutMs } from "@keelson/base";
import { Agent as Dispatcher } from "undici";
import { testRecordedCommands } from "./recorded-commands.ts";
import { testRecordedTraffic } from "./recorded-traffic.ts";
import {
  type ClusterApplication,
  exampleRequest,
  registerApplication,
  variablesFor,
} from "./support/cluster-request.ts";
import { type Endpoints, readEndpoints } from "./support/endpoints.ts";
import { Program, StateDirectory } from "./support/program.ts";

const preview = "2019-12-31-preview";
const newest = "2025-07-25";
const apiVersions = [
  ...[preview, "2020-04-30", "2021-09-01-preview", "2022-04-01", "2022-09-04", "2023-04-01"],
  ...["2023-07-01-preview", "2023-09-04", "2023-11-22", "2024-08-12-preview", newest],
];
const bodyLimitBytes = 1_048_576;

interface Response {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

interface Sent {
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const state = new StateDirectory();
const agent = new Agent({ keepAlive: true });
let program: Program;
let endpoints: Endpoints;
let ca: string;

before(async () => {
  program = Program.start(
    ...["up", "--no-cluster", "--state", state.path, "--ports", "auto", "-o", "json", "--operators", "none"],
    ...["--without", "portal", "monitor", "console"],
    ...["--subnets-for", "alpha", "beta", "recorded", "identities"],
  );
  await program.says(/endpoints/);
  endpoints = readEndpoints(state.file("endpoints.json"));
  ca = readFileSync(endpoints.caFile, "utf8");
});

after(async () => {
  agent.destroy();
  await program[Symbol.asyncDispose]();
  state[Symbol.dispose]();
});

/** Sends a request without normalizing its path. The body is sent as JSON unless `headers` specifies a different type. */
function send(method: string, path: string, { body, headers }: Sent = {}): Promise<Response> {
  const { hostname, port } = new URL(endpoints.rp);
  const type = body === undefined ? {} : { "content-type": "application/json" };
  const length = body === undefined ? {} : { "content-length": Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const sent = request(
      { hostname, port, method, path, agent, ca, headers: { ...type, ...length, ...headers } },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk)).on("error", reject);
        response.on("end", () =>
          resolve({
            status: response.statusCode,
            headers: response.headers,
            text: Buffer.concat(chunks).toString("utf8"),
          }),
        );
      },
    );
    sent.on("error", reject).end(body);
  });
}

/**
 * Asserts the exact bytes of an error response: property order, indentation with four spaces and a final newline. Also asserts
 * that no operation was started.
 */
function assertRefused(response: Response, status: number, code: string, message?: string, target?: string) {
  const { error } = JSON.parse(response.text);
  assert.deepEqual(
    { status: response.status, code: error.code, message: message && error.message, target: error.target },
    { status, code, message, target },
  );
  assert.equal(response.text, `${JSON.stringify({ error }, null, 4)}\n`);
  assert.deepEqual(
    Object.keys(error).filter((name) => name !== "details"),
    ["code", "message", ...(target ? ["target"] : [])],
  );
  assert.equal(response.headers["content-type"], "application/json");
  assert.match(`${response.headers["x-ms-request-id"]}`, /^[0-9a-f-]{36}$/);
  assert.equal(response.headers["azure-asyncoperation"], undefined);
  assert.equal(response.headers.location, undefined);
}

const group = (name: string, subscriptionId = endpoints.subscriptionId) =>
  `/subscriptions/${subscriptionId}/resourceGroups/${name}`;
const cluster = (name: string, subscriptionId?: string) =>
  `${group(name, subscriptionId)}/providers/Microsoft.RedHatOpenShift/openShiftClusters/${name}`;
const location = (name: string, subscriptionId = endpoints.subscriptionId) =>
  `/subscriptions/${subscriptionId}/providers/Microsoft.RedHatOpenShift/locations/${name}`;
const version = (name: string) => `?api-version=${name}`;

function putSubscription(id: string, body: object): Promise<Response> {
  return send("PUT", `/subscriptions/${id}?api-version=2.0`, { body: JSON.stringify(body) });
}

describe("requests that name nothing", () => {
  const typeText = (type: string, apiVersion: string) =>
    `The resource type '${type}' could not be found in the namespace 'microsoft.redhatopenshift' for api version '${apiVersion}'.`;
  const missing = "The Resource 'openshiftclusters/x' under resource group 'x' was not found.";
  const refused: readonly {
    readonly what: string;
    readonly method?: string;
    readonly path: () => string;
    readonly sent?: Sent;
    readonly status: number;
    readonly code: string;
    readonly message?: string;
  }[] = [
    {
      what: "an unknown API version",
      path: () => cluster("x") + version("1999-01-01"),
      status: 400,
      code: "InvalidResourceType",
      message: typeText("openshiftclusters", "1999-01-01"),
    },
    {
      what: "no API version",
      path: () => cluster("x"),
      status: 400,
      code: "InvalidResourceType",
      message: typeText("openshiftclusters", ""),
    },
    {
      what: "a malformed subscription",
      path: () => cluster("x", "abc") + version(newest),
      status: 400,
      code: "InvalidSubscriptionID",
      message: "The provided subscription identifier 'abc' is malformed or invalid.",
    },
    {
      what: "a malformed resource group",
      path: () => cluster("x.") + version(newest),
      status: 400,
      code: "ResourceGroupNotFound",
      message: "Resource group 'x.' could not be found.",
    },
    {
      what: "another namespace",
      path: () => cluster("x").replace("Microsoft.RedHatOpenShift", "Foo.Bar") + version(newest),
      status: 400,
      code: "InvalidResourceNamespace",
      message: "The resource namespace 'foo.bar' is invalid.",
    },
    {
      what: "another type",
      path: () => cluster("x").replace("openShiftClusters", "machines") + version(newest),
      status: 400,
      code: "InvalidResourceType",
      message: typeText("machines", newest),
    },
    {
      what: "a malformed name",
      path: () => `${cluster("x")}%20y${version(newest)}`,
      status: 400,
      code: "ResourceNotFound",
      message:
        "The Resource 'microsoft.redhatopenshift/openshiftclusters/x y' under resource group 'x' was not found.",
    },
    {
      what: "another location",
      path: () => `${location("westus")}/openShiftVersions${version(newest)}`,
      status: 400,
      code: "InvalidLocation",
      message: "The provided location 'westus' is malformed or invalid.",
    },
    ...["operationsstatus", "operationresults"].flatMap((kind) => [
      {
        what: `a malformed ID at ${kind}`,
        path: () => `${location("eastus")}/${kind}/x${version(newest)}`,
        status: 400,
        code: "InvalidOperationID",
        message: "The provided operation identifier 'x' is malformed or invalid.",
      },
      {
        what: `an unknown ID at ${kind}`,
        path: () => `${location("eastus")}/${kind}/${randomUUID()}${version(newest)}`,
        status: 404,
        code: "NotFound",
        message: "The entity was not found.",
      },
    ]),
    {
      what: "an unknown path",
      path: () => "/subscriptions",
      status: 404,
      code: "NotFound",
      message: "The requested path could not be found.",
    },
    {
      what: "an absent cluster",
      path: () => cluster("x") + version(newest),
      status: 404,
      code: "ResourceNotFound",
      message: missing,
    },
    {
      what: "an absent cluster in upper case, with doubled and trailing slashes and an encoded query name",
      path: () => `${cluster("x").toUpperCase().replaceAll("/", "//")}/?api%2Dversion=${newest}`,
      status: 404,
      code: "ResourceNotFound",
      message: missing,
    },
    {
      what: "listAdminCredentials before it existed",
      method: "POST",
      path: () => `${cluster("x")}/listAdminCredentials${version(preview)}`,
      status: 400,
      code: "InvalidResourceType",
      message: typeText("openshiftclusters", preview),
    },
    {
      what: "a body over the limit",
      method: "PUT",
      path: () => cluster("x") + version(newest),
      sent: { body: " ".repeat(bodyLimitBytes + 1) },
      status: 400,
      code: "InvalidResource",
      message: "The resource definition is invalid.",
    },
    {
      what: "a body of another media type",
      method: "PUT",
      path: () => cluster("x") + version(newest),
      sent: { body: "{}", headers: { "content-type": "text/plain" } },
      status: 415,
      code: "UnsupportedMediaType",
      message: "The content media type 'text/plain' is not supported. Only 'application/json' is supported.",
    },
    {
      what: "a tampered page token",
      path: () => `${cluster("x").replace(/\/[^/]+$/, "")}${version(newest)}&%24skipToken=${"k".repeat(80)}`,
      status: 400,
      code: "InvalidParameter",
    },
    {
      what: "a cluster in a subscription that is not registered",
      method: "PUT",
      path: () => cluster("x", "00000000-0000-0000-0000-00000000000a") + version(newest),
      sent: { body: "{}" },
      status: 400,
      code: "InvalidSubscriptionState",
      message: "Request is not allowed in unregistered subscription '00000000-0000-0000-0000-00000000000a'.",
    },
  ];
  for (const { what, method = "GET", path, sent, status, code, message } of refused) {
    test(`${what} is ${status} ${code}`, async () => {
      const response = await send(method, path(), sent);
      const target = code === "InvalidParameter" ? "$skipToken" : undefined;
      assertRefused(response, status, code, message, target);
    });
  }

  test("a method that a path does not have is a bare 405", async () => {
    for (const method of ["POST", "HEAD", "OPTIONS"]) {
      const response = await send(method, cluster("x") + version(newest));
      assert.deepEqual([response.status, response.text], [405, ""]);
      assert.equal(response.headers.allow, "DELETE, GET, PATCH, PUT");
    }
  });

  test("operations need no version, and there are eleven", async () => {
    const response = await send(
      "GET",
      "/providers/Microsoft.RedHatOpenShift/operations?api-version=nonsense",
    );
    assert.deepEqual([response.status, JSON.parse(response.text).value.length], [200, 11]);
  });

  test("the client's request ID is returned on request", async () => {
    const ids = new Set<unknown>();
    for (const asked of ["true", "false"]) {
      const response = await send("GET", "/healthz/ready", {
        headers: { "x-ms-client-request-id": "mine", "x-ms-return-client-request-id": asked },
      });
      assert.deepEqual([response.status, response.text], [200, "{}\n"]);
      assert.equal(response.headers["x-ms-client-request-id"], asked === "true" ? "mine" : undefined);
      ids.add(response.headers["x-ms-request-id"]);
    }
    assert.equal(ids.size, 2);
  });
});

test("a subscription has its states, and does not leave Deleted", async () => {
  const id = randomUUID();
  const registered = { state: "Registered", properties: { tenantId: endpoints.tenantId } };
  const bogus = await putSubscription(id, { state: "Bogus" });
  assertRefused(bogus, 400, "InvalidParameter", "The provided state 'Bogus' is invalid.", "state");
  assert.equal((await putSubscription(id, registered)).status, 201);
  assert.equal((await putSubscription(id, registered)).status, 200);
  assert.equal((await putSubscription(id, { ...registered, state: "Warned" })).status, 200);
  const refused = await send("PUT", cluster("x", id) + version(newest), { body: "{}" });
  const text = (name: string) => `Request is not allowed in subscription in state '${name}'.`;
  assertRefused(refused, 400, "InvalidSubscriptionState", text("Warned"));
  assert.equal((await send("DELETE", cluster("x", id) + version(newest))).status, 204);
  assert.equal((await putSubscription(id, { ...registered, state: "Deleted" })).status, 200);
  assertRefused(await putSubscription(id, registered), 400, "InvalidSubscriptionState", text("Deleted"));
});

// These tests run before "a cluster's life", which leaves the subscription in the state Warned.
describe("recorded traffic", { timeout: 900_000 }, () => testRecordedTraffic(() => state.path));

describe("recorded commands", { timeout: 900_000 }, () => testRecordedCommands(() => endpoints));

describe("a cluster's life", { timeout: 900_000 }, () => {
  const applications = new Map<string, ClusterApplication>();
  const clientId = () => applications.get("alpha")?.clientId ?? "";
  const path = () => cluster("Alpha");
  const patch = (body: object, apiVersion = newest) =>
    send("PATCH", path() + version(apiVersion), { body: JSON.stringify(body) });

  function requestBody(name: string, change: Readonly<Record<string, string>> = {}): string {
    const own = variablesFor(name, endpoints.subscriptionId, applications.get(name));
    const variables = { ...own, ...change };
    return JSON.stringify(exampleRequest("20250725", variables));
  }

  async function settled({ status, headers, text }: Response, expected: number) {
    assert.equal(status, expected, text);
    const { pathname, search } = new URL(`${headers["azure-asyncoperation"]}`);
    for (;;) {
      const operation = JSON.parse((await send("GET", pathname + search)).text);
      if (operation.endTime) return operation;
      assert.equal(operation.error, undefined);
      await delay(50);
    }
  }

  let created: Response;

  before(async () => {
    const properties = { tenantId: endpoints.tenantId };
    await putSubscription(endpoints.subscriptionId, { state: "Registered", properties });
    const dispatcher = new Dispatcher({ connect: { timeout: httpConnectTimeoutMs, ca } });
    for (const name of ["alpha", "beta"]) {
      applications.set(name, await registerApplication(endpoints, dispatcher));
    }
    await dispatcher.close();
  });

  test("the request of az is accepted, and all others wait for the cluster", async () => {
    const body = JSON.parse(requestBody("alpha"));
    Object.assign(body.properties.clusterProfile, { version: "", pullSecret: "" });
    body.properties.networkProfile.outboundType = "";
    created = await send("PUT", path() + version(newest), {
      body: JSON.stringify(body),
      headers: {
        referer: `https://management.example.com${path()}?api-version=${newest}&t=1`,
        "x-ms-arm-resource-system-data": JSON.stringify({ createdBy: "ann", createdByType: "User" }),
      },
    });
    const during = await Promise.all([
      send("PUT", path() + version(newest), { body: "{}" }),
      patch({}),
      send("DELETE", path() + version(newest)),
      send("POST", `${path()}/listCredentials${version(newest)}`),
    ]);
    for (const response of during) {
      const text = "Request is not allowed in provisioningState 'Creating'.";
      assertRefused(response, 400, "RequestNotAllowed", text);
    }
    assert.equal(created.status, 201, created.text);
    const { id, name, properties } = JSON.parse(created.text);
    assert.deepEqual([id, name, properties.provisioningState], [path(), "Alpha", "Creating"]);
    assert.match(properties.clusterProfile.version, /^4\.\d+\.\d+$/);
    assert.match(
      `${created.headers["azure-asyncoperation"]}`,
      new RegExp(
        `^https://management\\.example\\.com/subscriptions/[0-9a-f-]+/providers/microsoft\\.redhatopenshift/locations/eastus/operationsstatus/[0-9a-f-]{36}\\?api-version=${newest}&t=1$`,
      ),
    );
    assert.doesNotMatch(created.text, /pullSecret|clientSecret/);
  });

  test("a taken client ID or resource group is refused, and leaves no operation", async () => {
    assertRefused(
      await send("PUT", cluster("beta") + version(newest), {
        body: requestBody("beta", { AZURE_CLIENT_ID: clientId().toUpperCase() }),
      }),
      400,
      "DuplicateClientID",
      `The provided service principal with client ID '${clientId().toUpperCase()}' is already in use by a cluster.`,
    );
    const taken = requestBody("beta").replace("resourceGroups/aro-beta", "resourceGroups/ARO-ALPHA");
    assertRefused(
      await send("PUT", cluster("beta") + version(newest), { body: taken }),
      400,
      "DuplicateResourceGroup",
      `The provided resource group '/subscriptions/${endpoints.subscriptionId}/resourcegroups/aro-alpha' already contains a cluster.`,
    );
    assert.equal((await send("GET", cluster("beta") + version(newest))).status, 404);
  });

  test("its operation ends only for its own subscription", async () => {
    const operation = await settled(created, 201);
    assert.equal(operation.status, "Succeeded", JSON.stringify(operation));
    const results = operation.id.replace("operationsstatus", "operationresults") + version(newest);
    const shown = await send("GET", path() + version(newest));
    assert.equal((await send("GET", results)).text, shown.text);
    const elsewhere = results.replace(endpoints.subscriptionId, randomUUID());
    assertRefused(await send("GET", elsewhere), 404, "NotFound", "The entity was not found.");
  });

  test("it is found in any case, under the name of its creation, and without its secrets", async () => {
    for (const apiVersion of apiVersions) {
      const { text } = await send("GET", path().toUpperCase() + version(apiVersion));
      assert.equal(JSON.parse(text).id, path());
      assert.doesNotMatch(text, /pullSecret|clientSecret|secret-of|SigningKey|[kK]ubeconfig/);
    }
  });

  test("an intermediate version changes its properties and keeps the rest", async () => {
    const before = JSON.parse((await send("GET", path() + version(newest))).text);
    const changed = await send("PATCH", path() + version("2021-09-01-preview"), {
      body: JSON.stringify({ tags: { by: "2021" }, properties: { networkProfile: { outboundType: "x" } } }),
    });
    assert.equal((await settled(changed, 200)).status, "Succeeded");
    const after = JSON.parse((await send("GET", path() + version(newest))).text);
    assert.deepEqual(after, { ...before, tags: { by: "2021" }, systemData: after.systemData });
  });

  test("tags are replaced, and an empty change is an update", async () => {
    const tagged = await patch({ tags: { a: "1" } });
    assert.deepEqual(JSON.parse(tagged.text).tags, { a: "1" });
    assert.equal((await settled(tagged, 200)).status, "Succeeded");
    const empty = await patch({});
    const { tags, properties, systemData } = JSON.parse(empty.text);
    assert.deepEqual([tags, properties.provisioningState], [{ a: "1" }, "Updating"]);
    assert.equal(systemData.createdBy, "ann");
    assert.equal((await settled(empty, 200)).status, "Succeeded");
  });

  test("who changed it does not replace who made it", async () => {
    const response = await send("PATCH", path() + version(newest), {
      body: "{}",
      headers: { "X-Ms-Arm-Resource-System-Data": JSON.stringify({ lastModifiedBy: "bob" }) },
    });
    const { systemData } = JSON.parse(response.text);
    assert.deepEqual(systemData, { createdBy: "ann", createdByType: "User", lastModifiedBy: "bob" });
    assert.equal((await settled(response, 200)).status, "Succeeded");
  });

  const unchangeable: readonly { readonly target: string; readonly body: object }[] = [
    {
      target: "properties.workerProfiles['worker'].count",
      body: { properties: { workerProfiles: [{ name: "worker", count: 5 }] } },
    },
    {
      target: "properties.clusterProfile.oidcIssuer",
      body: { properties: { clusterProfile: { oidcIssuer: "https://example.com" } } },
    },
    { target: "properties.apiserverProfile.visibility", body: visibility("Private") },
    { target: "systemData", body: { systemData: { createdBy: "eve" } } },
    { target: "location", body: { location: "EastUS" } },
  ];
  for (const { target, body } of unchangeable) {
    test(`${target} cannot be changed`, async () => {
      const text = `Changing property '${target}' is not allowed.`;
      assertRefused(await patch(body), 400, "PropertyChangeNotAllowed", text, target);
    });
  }

  test("workers beyond the limits are refused where workers scale", async () => {
    for (const count of [1, 51]) {
      assertRefused(
        await patch({ properties: { workerProfiles: [{ name: "worker", count }] } }, preview),
        400,
        "InvalidParameter",
        `The provided worker count '${count}' is invalid.`,
        "properties.workerProfiles['worker'].count",
      );
    }
  });

  test("one of the concurrent changes wins, and the others get the reason", async () => {
    const values = ["1", "2", "3", "4"];
    // Opens the connections first, so that the changes arrive at the same time.
    await Promise.all(values.map(() => send("GET", path() + version(newest))));
    const responses = await Promise.all(values.map((tag) => patch({ tags: { tag } })));
    // The service retries a conflicting update. The concurrent update may have completed before the retry, so several requests
    // can succeed.
    const accepted = responses.filter(({ status }) => status === 200);
    for (const response of responses) {
      if (accepted.includes(response)) continue;
      const text = "Request is not allowed in provisioningState 'Updating'.";
      assertRefused(response, 400, "RequestNotAllowed", text);
    }
    assert.ok(accepted.length > 0);
    for (const response of accepted) assert.equal((await settled(response, 200)).status, "Succeeded");
    const { tags } = JSON.parse((await send("GET", path() + version(newest))).text);
    const written = accepted.map(({ text }) => JSON.stringify(JSON.parse(text).tags));
    assert.ok(written.includes(JSON.stringify(tags)), JSON.stringify(tags));
  });

  test("a network that cannot work fails the operation; then only deletion is left", async () => {
    const body = requestBody("beta").replace('"podCidr":"10.128.0.0/14"', '"podCidr":"10.0.0.0/14"');
    const failed = await settled(await send("PUT", cluster("beta") + version(newest), { body }), 201);
    assert.deepEqual([failed.status, failed.error.code], ["Failed", "InvalidLinkedVNet"]);
    assert.match(failed.error.message, /^The provided CIDRs must not overlap: '.+'\.$/);
    const text = "Request is not allowed on cluster whose creation failed. Delete the cluster.";
    for (const method of ["PUT", "PATCH"]) {
      const response = await send(method, cluster("beta") + version(newest), { body });
      assertRefused(response, 400, "RequestNotAllowed", text);
    }
    const credentials = await send("POST", `${cluster("beta")}/listCredentials${version(newest)}`);
    const state = "Request is not allowed in provisioningState 'Failed'.";
    assertRefused(credentials, 400, "RequestNotAllowed", state);
    const deletion = await send("DELETE", cluster("beta") + version(newest));
    assert.equal((await settled(deletion, 202)).status, "Succeeded");
  });

  test("deletion completes in a Warned subscription, and can be requested again", async () => {
    await putSubscription(endpoints.subscriptionId, { state: "Warned" });
    const deletion = await send("DELETE", path() + version(newest));
    const again = await send("DELETE", path() + version(newest));
    assertRefused(again, 400, "RequestNotAllowed", "Request is not allowed in provisioningState 'Deleting'.");
    assert.deepEqual([deletion.status, deletion.text], [202, ""]);
    const { pathname, search } = new URL(`${deletion.headers.location}`);
    const operation = await settled(deletion, 202);
    assert.equal(operation.status, "Succeeded");
    assert.equal((await send("GET", pathname + search)).status, 204);
    assert.equal((await send("DELETE", path() + version(newest))).status, 204);
    assert.equal((await send("GET", path() + version(newest))).status, 404);
  });
});

function visibility(value: string): object {
  return { properties: { apiserverProfile: { visibility: value } } };
}

test("an instance without portal and console prints and serves only the other endpoints", async () => {
  assert.deepEqual(Object.keys(JSON.parse(program.stdout)), ["rp", "endpoints"]);
  const accepts = (url: string) =>
    new Promise<boolean>((resolve) => {
      const socket = connect(Number(new URL(url).port), "127.0.0.1");
      socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
      socket.once("connect", () => socket.destroy());
    });
  assert.deepEqual([await accepts(endpoints.rp), await accepts(endpoints.portal)], [true, false]);
});
