import assert from "node:assert/strict";
import { test } from "node:test";
import { scalarStringAt } from "@keelson/apimachinery";
import { listAt, objectAt, valueAt } from "@keelson/base";
import { ManualClock } from "@keelson/base/testing";
import { definitions, refusal } from "../testing/test-definition.ts";
import { framesOf, TestServer } from "../testing/test-server.ts";
import { TestWebhook } from "../testing/test-webhook.ts";

const v1 = { group: "example.com", version: "v1", resource: "hosts" };
const v2 = { ...v1, version: "v2" };
const key = { namespace: "default", name: "a" };
const text = { type: "string" };

function version(name: string, storage: boolean, properties: object, more: object = {}) {
  const spec = { type: "object", properties };
  const openAPIV3Schema = { type: "object", properties: { spec } };
  return { name, served: true, storage, schema: { openAPIV3Schema }, ...more };
}

/** Definition of the kind Host. The stored version v1 has an address, v2 has host and port. */
function definition(conversion: object | undefined, more: object = {}) {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "hosts.example.com" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural: "hosts", kind: "Host" },
      versions: [
        version("v1", true, { address: text }, more),
        version("v2", false, { host: text, port: text, scheme: { ...text, default: "https" } }),
      ],
      ...(conversion ? { conversion } : {}),
    },
  };
}

const host = (apiVersion: string, spec: object, name = "a") => ({
  apiVersion: `example.com/${apiVersion}`,
  kind: "Host",
  metadata: { name, namespace: "default" },
  spec,
});

function converted(object: unknown, desired: string): Readonly<Record<string, unknown>> {
  const { apiVersion, ...rest } = objectAt(object);
  if (apiVersion === desired) return { ...rest, apiVersion };
  const [name = "", port = ""] = scalarStringAt(object, "spec", "address").split(":");
  const spec = desired.endsWith("/v2")
    ? { host: name, port }
    : { address: `${scalarStringAt(object, "spec", "host")}:${scalarStringAt(object, "spec", "port")}` };
  return { ...rest, apiVersion: desired, spec };
}

const answering = () =>
  TestWebhook.start({
    "/convert": (request) => ({
      result: { status: "Success" },
      convertedObjects: listAt(request, "objects").map((each) =>
        converted(each, scalarStringAt(request, "desiredAPIVersion")),
      ),
    }),
    "/refuse": () => ({ result: { status: "Failure", message: "not today" } }),
    "/rename": (request) => ({
      result: { status: "Success" },
      convertedObjects: listAt(request, "objects").map((each) => ({
        ...converted(each, scalarStringAt(request, "desiredAPIVersion")),
        metadata: { ...objectAt(each, "metadata"), name: "other" },
      })),
    }),
  });

const webhook = (hooks: TestWebhook, path: string) => ({
  strategy: "Webhook",
  webhook: {
    clientConfig: { url: `https://127.0.0.1:${hooks.port}${path}`, caBundle: hooks.caBundle },
    conversionReviewVersions: ["v1"],
  },
});

test("a webhook converts objects where they are written, read, listed, watched, changed and deleted", async () => {
  await using server = await TestServer.start();
  await using hooks = await answering();
  const { client } = server.cluster;
  await client.create(definitions, definition(webhook(hooks, "/convert")));
  const made = await client.create(v2, host("v2", { host: "a.example", port: "80" }));
  // The stored version v1 has no field for the scheme, so v2's default is not stored.
  assert.deepEqual(made.spec, { host: "a.example", port: "80" });
  assert.equal(made.apiVersion, "example.com/v2");
  assert.deepEqual((await client.get(v1, key)).spec, { address: "a.example:80" });
  await client.create(v1, host("v1", { address: "b.example:90" }, "b"));
  const listed = await client.list(v2, { namespace: "default" });
  assert.deepEqual(
    listed.items.map((each) => valueAt(each, "spec", "host")),
    ["a.example", "b.example"],
  );
  const patched = await client.mergePatch(v2, key, { spec: { port: "81" } });
  assert.equal(valueAt(patched, "spec", "port"), "81");
  assert.deepEqual((await client.get(v1, key)).spec, { address: "a.example:81" });
  const ending = new AbortController();
  const seen: unknown[] = [];
  for await (const event of client.watch(v2, { namespace: "default" }, ending.signal)) {
    if (event.type === "BOOKMARK") continue;
    seen.push([event.type, event.object.metadata.name, valueAt(event.object, "spec", "port")]);
    if (seen.length === 2) await client.mergePatch(v1, key, { spec: { address: "a.example:82" } });
    if (seen.length === 3) ending.abort();
  }
  assert.deepEqual(seen, [
    ["ADDED", "a", "81"],
    ["ADDED", "b", "90"],
    ["MODIFIED", "a", "82"],
  ]);
  await client.delete(v2, key);
  assert.equal(await client.find(v1, key), undefined);
});

test("long lists are converted in several webhook calls", async () => {
  await using server = await TestServer.start();
  await using hooks = await answering();
  const { client } = server.cluster;
  await client.create(definitions, definition(webhook(hooks, "/convert")));
  const long = "x".repeat(400_000);
  for (const name of ["a", "b", "c", "d"])
    await client.create(v1, host("v1", { address: `${long}:1` }, name));
  const small = Array.from({ length: 501 }, (_, at) => host("v1", { address: "a:1" }, `s${at}`));
  await Promise.all(small.map((each) => client.create(v1, each)));
  const before = hooks.requests.length;
  const listed = await client.list(v2, { namespace: "default" });
  assert.equal(listed.items.filter((each) => valueAt(each, "spec", "port") === "1").length, 505);
  const asked = hooks.requests.slice(before).map((request) => listAt(request, "objects").length);
  assert.deepEqual(asked, [2, 500, 3]);
});

test("failed, invalid and missing webhook responses are internal errors, and stored versions remain readable", async () => {
  await using server = await TestServer.start();
  await using hooks = await answering();
  const { client } = server.cluster;
  const made = await client.create(definitions, definition(webhook(hooks, "/refuse")));
  await client.create(v1, host("v1", { address: "a.example:80" }));
  const use = async (conversion: object) => {
    const current = await client.get(definitions, { name: made.metadata.name });
    await client.update(definitions, { ...current, spec: { ...objectAt(current, "spec"), conversion } });
  };
  assert.match(
    await refusal(client.get(v2, key)),
    /^conversion webhook for example\.com\/v1, Kind=Host failed: not today$/,
  );
  await use(webhook(hooks, "/rename"));
  assert.match(await refusal(client.list(v2)), /invalid metadata: metadata\.name may not be changed/);
  const nowhere = {
    ...webhook(hooks, "/convert").webhook,
    clientConfig: { url: "https://127.0.0.1:1/convert" },
  };
  await use({ strategy: "Webhook", webhook: nowhere });
  assert.match(await refusal(client.get(v2, key)), /failed: Post .*connection refused/);
  const answer = await server.call("GET", "/apis/example.com/v2/namespaces/default/hosts/a");
  assert.equal(answer.status, 500);
  assert.deepEqual((await client.get(v1, key)).spec, { address: "a.example:80" });
});

test("without a webhook only apiVersion changes, and deprecated versions cause warnings", async () => {
  await using server = await TestServer.start();
  const { client } = server.cluster;
  await client.create(definitions, definition(undefined, { deprecated: true }));
  await client.create(v1, host("v1", { address: "a.example:80" }));
  const shown = await client.get(v2, key);
  assert.equal(shown.apiVersion, "example.com/v2");
  const answer = await server.call("GET", "/apis/example.com/v1/namespaces/default/hosts/a");
  assert.match(String(answer.headers.warning), /299 .*example\.com\/v1 Host is deprecated/);
});

test("a watch that waits for a conversion loses no events when bookmarks are due", async () => {
  const clock = new ManualClock(new Date());
  await using server = await TestServer.start(undefined, undefined, clock);
  const asked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  let held = false;
  const convert = (request: unknown) => ({
    result: { status: "Success" },
    convertedObjects: listAt(request, "objects").map((each) =>
      converted(each, scalarStringAt(request, "desiredAPIVersion")),
    ),
  });
  await using hooks = await TestWebhook.start({
    "/convert": async (request) => {
      if (held) {
        asked.resolve();
        await released.promise;
      }
      return convert(request);
    },
  });
  const { client } = server.cluster;
  await client.create(definitions, definition(webhook(hooks, "/convert")));
  await client.create(v1, host("v1", { address: "first.example:80" }, "first"));
  const path = "/apis/example.com/v2/namespaces/default/hosts?watch=true&allowWatchBookmarks=true";
  const response = await server.open("GET", path);
  const frames = framesOf(response);
  const next = async () => {
    const { value } = await frames.next();
    return [scalarStringAt(value, "type"), scalarStringAt(value, "object", "metadata", "name")];
  };
  assert.deepEqual(await next(), ["ADDED", "first"]);
  held = true;
  const written = ["second", "third"].map((name) =>
    client.create(v1, host("v1", { address: `${name}.example:80` }, name)),
  );
  await Promise.all(written);
  await asked.promise;
  await clock.advance(61_000);
  held = false;
  released.resolve();
  assert.deepEqual(await next(), ["ADDED", "second"]);
  assert.deepEqual(await next(), ["ADDED", "third"]);
  await clock.advance(61_000);
  assert.deepEqual(await next(), ["BOOKMARK", ""]);
  response.destroy();
});

test("a watch that waits for a conversion sends no bookmark before the converted events", async () => {
  const clock = new ManualClock(new Date());
  await using server = await TestServer.start(undefined, undefined, clock);
  const asked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  await using hooks = await TestWebhook.start({
    "/convert": async (request) => {
      asked.resolve();
      await released.promise;
      return {
        result: { status: "Success" },
        convertedObjects: listAt(request, "objects").map((each) => converted(each, "example.com/v2")),
      };
    },
  });
  const { client } = server.cluster;
  await client.create(definitions, definition(webhook(hooks, "/convert")));
  await client.create(v1, host("v1", { address: "first.example:80" }, "first"));
  const path = "/apis/example.com/v2/namespaces/default/hosts?watch=true&allowWatchBookmarks=true";
  const response = await server.open("GET", path);
  await asked.promise;
  await client.create(v1, host("v1", { address: "second.example:80" }, "second"));
  await clock.advance(61_000);
  released.resolve();
  const seen: string[] = [];
  for await (const frame of framesOf(response)) {
    seen.push(`${scalarStringAt(frame, "type")} ${scalarStringAt(frame, "object", "metadata", "name")}`);
    if (seen.length === 2) break;
  }
  assert.deepEqual(seen, ["ADDED first", "ADDED second"]);
  response.destroy();
});
