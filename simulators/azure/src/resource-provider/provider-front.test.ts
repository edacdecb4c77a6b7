import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import {
  localCertificates,
  location,
  startTestAzure,
  subscriptionId,
  type TestAzure,
  tenantId,
} from "../testing/test-azure.ts";
import { type Received, type Reply, startTestProvider } from "../testing/testing-provider.ts";

const group = `/subscriptions/${subscriptionId}/resourceGroups/clusters`;
const cluster = `${group}/providers/Microsoft.RedHatOpenShift/openShiftClusters/one`;
const version = "?api-version=2025-07-25";

describe("the resource provider behind ARM", () => {
  const stack = new AsyncDisposableStack();
  const received: Received[] = [];
  let response: (request: Received) => Reply;
  let azure: TestAzure;

  before(async () => {
    const provider = stack.use(
      await startTestProvider((request) => {
        received.push(request);
        return response(request);
      }),
    );
    azure = stack.use(await startTestAzure({ resourceProvider: provider.options }));
    await azure.arm("PUT", `${group}?api-version=2021-04-01`, { location });
  });
  after(() => stack.disposeAsync());
  beforeEach(() => {
    received.length = 0;
    response = ({ method }) => (method === "GET" ? { status: 404 } : { status: 201, body: { name: "one" } });
  });

  const last = () => {
    const each = received.at(-1);
    assert.ok(each);
    return each;
  };

  test("receives the caller, the URL that it called, and the body", async () => {
    const created = await azure.arm("PUT", `${cluster}${version}`, {
      location,
      identity: { type: "UserAssigned" },
    });
    assert.equal(created.status, 201);
    const { method, url, headers, body } = last();
    assert.deepEqual(
      [method, url, JSON.parse(body)],
      ["PUT", `${cluster}${version}`, { location, identity: { type: "UserAssigned" } }],
    );
    assert.equal(headers.referer, `${azure.url}${cluster}${version}`);
    assert.equal(headers["x-ms-client-tenant-id"], tenantId);
    assert.equal(headers["x-ms-home-tenant-id"], tenantId);
    assert.match(String(headers["x-ms-identity-url"]), /\/identity\/credentials/);
    assert.match(String(headers["x-ms-client-object-id"]), /^[0-9a-f-]{36}$/);
    assert.match(String(headers["x-ms-correlation-request-id"]), /^[0-9a-f-]{36}$/);
    const systemData = JSON.parse(String(headers["x-ms-arm-resource-system-data"]));
    assert.deepEqual(
      [systemData.createdByType, systemData.lastModifiedByType],
      ["Application", "Application"],
    );
    assert.equal(headers.authorization, undefined, "the caller's token stays with ARM");
  });

  test("receives the creator only once", async () => {
    response = ({ method }) => ({ status: method === "GET" ? 200 : 200, body: {} });
    await azure.arm("PUT", `${cluster}${version}`, { location });
    const again = JSON.parse(String(last().headers["x-ms-arm-resource-system-data"]));
    assert.deepEqual([again.createdBy, again.lastModifiedByType], [undefined, "Application"]);
    await azure.arm("PATCH", `${cluster}${version}`, {});
    const patched = JSON.parse(String(last().headers["x-ms-arm-resource-system-data"]));
    assert.equal(patched.createdBy, undefined);
  });

  test("returns the response: status, body, and polling URLs", async () => {
    const headers = {
      "azure-asyncoperation": "https://a/b?c=d",
      location: "https://e/f?g=h",
      "retry-after": "7",
    };
    response = () => ({ status: 202, headers });
    const deleted = await azure.arm("DELETE", `${cluster}${version}`);
    assert.deepEqual([deleted.status, deleted.text], [202, ""]);
    assert.equal(deleted.headers["retry-after"], "7");
    for (const name of ["azure-asyncoperation", "location"] as const) {
      const [url, signature] = String(deleted.headers[name]).split("&t=");
      assert.equal(url, headers[name]);
      assert.match(String(signature), /^\d{18}&c=[\w-]+&s=[\w-]+&h=[\w-]+$/, "signed by ARM");
    }
    response = () => ({ status: 400, body: { error: { code: "InvalidParameter", message: "No." } } });
    const refused = await azure.arm("PATCH", `${cluster}${version}`, {});
    assert.deepEqual(
      [refused.status, refused.json],
      [400, { error: { code: "InvalidParameter", message: "No." } }],
    );
  });

  test("passes the bytes of the response", async () => {
    const text = '{\n    "b": 1.0,\n    "a": "\\u00e9"\n}\n';
    response = () => ({ status: 200, body: text });
    const read = await azure.arm("GET", `${cluster}${version}`);
    assert.deepEqual([read.text, read.headers["content-type"]], [text, "application/json"]);
    assert.deepEqual([read.headers.pragma, read.headers.expires], ["no-cache", "-1"]);
  });

  test("has ARM report a missing resource, and returns other errors of the provider", async () => {
    const refusal = (code: string) => ({ status: 404, body: { error: { code, message: "said" } } });
    response = () => refusal("ResourceNotFound");
    for (const [method, path] of [
      ["GET", cluster],
      ["POST", `${cluster}/listCredentials`],
      ["PATCH", cluster],
    ] as const) {
      const { status, headers, text } = await azure.arm(
        method,
        `${path}${version}`,
        method === "GET" ? undefined : {},
      );
      assert.deepEqual([status, headers["x-ms-failure-cause"]], [404, "gateway"]);
      assert.match(
        text,
        /The Resource 'Microsoft.RedHatOpenShift\/OpenShiftClusters\/one' under resource group 'clusters' was not found\./,
      );
    }
    response = () => refusal("OtherNotFound");
    assert.match((await azure.arm("GET", `${cluster}${version}`)).text, /"said"/);
  });

  test("receives the subscription first, and again when it changes", async () => {
    const announced = () =>
      received
        .filter(({ url }) => url.startsWith(`/subscriptions/${subscriptionId}?`))
        .map(({ body }) => JSON.parse(body));
    response = () => ({ status: 200, body: { value: [] } });
    const list = () =>
      azure.arm("GET", `${group}/providers/Microsoft.RedHatOpenShift/openShiftClusters${version}`);
    const setState = (verb: string) =>
      azure.arm(
        "POST",
        `/subscriptions/${subscriptionId}/providers/Microsoft.RedHatOpenShift/${verb}?api-version=2021-04-01`,
      );
    await setState("unregister");
    await list();
    await setState("register");
    assert.equal(announced().length, 2, "at once, for those who ask the provider without ARM");
    await list();
    await list();
    assert.deepEqual(
      announced().map(({ state }) => state),
      ["Unregistered", "Registered"],
    );
    assert.equal(announced()[0].properties.tenantId, tenantId);
  });

  test("receives the preview features, which ARM stores", async () => {
    const features = `/subscriptions/${subscriptionId}/providers/Microsoft.Features/providers/Microsoft.RedHatOpenShift/features`;
    const listed = await azure.arm("GET", `${features}?api-version=2021-07-01`);
    assert.match(listed.text, /Microsoft\.RedHatOpenShift\/MTU3900/);
    response = () => ({ status: 200, body: { value: [] } });
    for (const verb of ["register", "unregister"]) {
      assert.equal(
        (await azure.arm("POST", `${features}/MTU3900/${verb}?api-version=2021-07-01`)).status,
        200,
      );
      await azure.arm("GET", `${group}/providers/Microsoft.RedHatOpenShift/openShiftClusters${version}`);
    }
    const announced = received
      .filter(({ method }) => method === "PUT")
      .map(({ body }) => JSON.parse(body).properties.registeredFeatures);
    const feature = { name: "Microsoft.RedHatOpenShift/MTU3900", state: "Registered" };
    assert.deepEqual(announced, [[feature], []]);
  });

  test("receives tag changes of its resources as changes of any other property", async () => {
    response = ({ method }) => ({
      status: 200,
      body: { id: cluster, tags: method === "GET" ? { a: "1", b: "2" } : {} },
    });
    const tags = `${cluster}/providers/Microsoft.Resources/tags/default?api-version=2021-04-01`;
    const changed = await azure.arm("PATCH", tags, { operation: "Merge", properties: { tags: { b: "3" } } });
    assert.deepEqual(changed.json, {
      id: `${cluster}/providers/Microsoft.Resources/tags/default`,
      name: "default",
      type: "Microsoft.Resources/tags",
      properties: { tags: { a: "1", b: "3" } },
    });
    const { method, url, body } = last();
    assert.deepEqual(
      [method, url, JSON.parse(body)],
      ["PATCH", `${cluster}${version}`, { tags: { a: "1", b: "3" } }],
    );
    assert.match((await azure.arm("GET", tags)).text, /"b":"2"/);
    response = () => ({ status: 404, body: { error: { code: "ResourceNotFound", message: "" } } });
    assert.equal((await azure.arm("GET", tags)).status, 404);
  });

  test("receives no requests that ARM itself rejects", async () => {
    const cases = [
      { path: `${cluster.replace("clusters/", "nowhere/")}${version}`, code: "ResourceGroupNotFound" },
      { path: cluster, code: "MissingApiVersionParameter" },
      { path: `${cluster.replace(subscriptionId, tenantId)}${version}`, code: "SubscriptionNotFound" },
    ];
    for (const { path, code } of cases) {
      const { json } = await azure.arm("PUT", path, { location });
      assert.equal(Reflect.get(Object(Reflect.get(Object(json), "error")), "code"), code);
    }
    const path = `/subscriptions/${subscriptionId}/providers/Microsoft.RedHatOpenShift`;
    await azure.arm("POST", `${path}/unregister?api-version=2021-04-01`);
    const unregistered = await azure.arm("PUT", `${cluster}${version}`, { location });
    await azure.arm("POST", `${path}/register?api-version=2021-04-01`);
    assert.equal(unregistered.status, 409);
    assert.match(unregistered.text, /MissingSubscriptionRegistration.*'Microsoft.RedHatOpenShift'/);
    assert.deepEqual(
      received
        .filter(({ method }) => method === "PUT")
        .map(({ url }) => url)
        .filter((url) => url.includes("openShiftClusters")),
      [],
    );
  });

  test("has its resources in lists of all resources, under their filters", async () => {
    const shown = {
      id: cluster,
      name: "one",
      type: "Microsoft.RedHatOpenShift/openShiftClusters",
      location,
      tags: { a: "b" },
    };
    response = () => ({ status: 200, body: { value: [{ ...shown, properties: { secret: 1 } }] } });
    const list = async (path: string) => Reflect.get(Object((await azure.arm("GET", path)).json), "value");
    assert.deepEqual(await list(`${group}/resources?api-version=2021-04-01`), [shown]);
    const all = `/subscriptions/${subscriptionId}/resources?api-version=2021-04-01`;
    assert.deepEqual(await list(all), [shown]);
    assert.deepEqual(await list(`${all}&$filter=${encodeURIComponent("resourceGroup eq 'clusters'")}`), [
      shown,
    ]);
    assert.deepEqual(await list(`${all}&$filter=${encodeURIComponent("resourceGroup eq 'other'")}`), []);
    response = () => ({ status: 500 });
    assert.deepEqual(await list(`${group}/resources?api-version=2021-04-01`), []);
  });

  test("that does not respond is an error in ARM's format", async () => {
    const { caPem } = await localCertificates();
    await using alone = await startTestAzure({ resourceProvider: { url: "https://localhost:1", caPem } });
    await alone.arm("PUT", `${group}?api-version=2021-04-01`, { location });
    const { status, text } = await alone.arm("GET", `${cluster}${version}`);
    assert.equal(status, 503);
    assert.match(text, /ServerTimeout/);
  });
});
