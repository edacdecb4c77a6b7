import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { parseListParameters } from "@keelson/apimachinery";
import { Cluster } from "../cluster/cluster.ts";
import { TestServer } from "../testing/test-server.ts";
import { listQuery } from "./list-query.ts";
import { ObjectWatch, type WatchFrame } from "./watch.ts";

const configMaps = { group: "", version: "v1", resource: "configmaps" };
const count = 500;
/** Number of ConfigMaps that the server creates in the namespace: only `kube-root-ca.crt`. */
const defaults = 1;

let server: TestServer;
before(async () => {
  server = await TestServer.start();
  await Promise.all(Array.from({ length: count }, (_, at) => create(`state-${at}`)));
});
after(() => server[Symbol.asyncDispose]());

function create(name: string) {
  const metadata = { name, namespace: "default", labels: { a: "b" } };
  return server.cluster.client.create(configMaps, { apiVersion: "v1", kind: "ConfigMap", metadata });
}

function watchOf(labelSelector: string, resourceVersion?: string): ObjectWatch {
  const { cluster } = server;
  assert.ok(cluster instanceof Cluster);
  const resource = cluster.context.directory.get(configMaps);
  const given: Readonly<Record<string, string | undefined>> = { labelSelector, resourceVersion };
  const query = listQuery(
    resource,
    "default",
    parseListParameters((name) => given[name]),
    true,
  );
  return new ObjectWatch(cluster.context, resource, query);
}

/**
 * Returns the frames of each read. `waited` is true if the watch had to wait before this read, so that the event loop could
 * process other requests.
 */
async function partsOf(watch: ObjectWatch) {
  const parts: { readonly waited: boolean; readonly frames: readonly WatchFrame[] }[] = [];
  for (let waited = false; ; ) {
    const waiting = watch.prepare(200);
    if (waiting) {
      await waiting;
      waited = true;
      continue;
    }
    const frames = watch.read(200);
    if (!frames) return parts;
    parts.push({ waited, frames });
    waited = false;
  }
}

test("the initial state is read in parts, and other requests have turns in between", async () => {
  const parts = await partsOf(watchOf("a!=c"));
  assert.equal(
    parts.flatMap(({ frames }) => frames).filter(({ type }) => type === "ADDED").length,
    count + defaults,
  );
  assert.deepEqual(
    parts.map(({ waited }) => waited),
    [false, true, true],
  );
});

test("a watch without matches is also read in parts, and later changes are sent once", async () => {
  const watch = watchOf("a=c");
  const parts = await partsOf(watch);
  assert.deepEqual(
    parts.flatMap(({ frames }) => frames),
    [],
  );
  assert.equal(parts.length, 3);
  await create("later");
  assert.equal((await partsOf(watch)).length, 1);
  assert.equal((await partsOf(watch)).length, 0);
});

test("a long selector is only evaluated in turns, for few objects each", async () => {
  const watch = watchOf(Array.from({ length: 900 }, () => "a!=c").join());
  const parts = await partsOf(watch);
  assert.ok(parts.every(({ waited, frames }) => waited && frames.length < 30));
  await create("woken");
  assert.deepEqual(
    (await partsOf(watch)).map(({ waited, frames }) => [waited, frames.length]),
    [[true, 1]],
  );
});
