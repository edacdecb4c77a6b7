import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { scalarStringAt } from "@keelson/apimachinery";
import { listAt, valueAt } from "@keelson/base";
import { TestServer } from "./testing/test-server.ts";

let server: TestServer;
before(async () => {
  server = await TestServer.start();
});
after(() => server[Symbol.asyncDispose]());

const configMaps = { group: "", version: "v1", resource: "configmaps" };

/**
 * Creates a namespace with `count` ConfigMaps named a0, a1 and so on. ConfigMaps with an odd number have labels. Returns the path
 * for listing the ConfigMaps.
 */
async function filled(namespace: string, count: number): Promise<string> {
  const { client } = server.cluster;
  const ref = { group: "", version: "v1", resource: "namespaces" };
  await client.create(ref, { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
  for (let at = 0; at < count; at++) {
    const labels = at % 2 === 1 ? { odd: "yes" } : {};
    const metadata = { name: `a${at}`, namespace, labels };
    await client.create(configMaps, { apiVersion: "v1", kind: "ConfigMap", metadata });
  }
  return `/api/v1/namespaces/${namespace}/configmaps`;
}

async function list(path: string) {
  const { status, body } = await server.call("GET", path);
  return {
    status,
    body,
    names: listAt(body, "items")
      .map((item) => scalarStringAt(item, "metadata", "name"))
      .filter((name) => name !== "kube-root-ca.crt"),
    revision: scalarStringAt(body, "metadata", "resourceVersion"),
    next: encodeURIComponent(scalarStringAt(body, "metadata", "continue")),
    remaining: valueAt(body, "metadata", "remainingItemCount"),
  };
}

const settled = (namespace: string) =>
  server.cluster.client.delete(configMaps, { namespace, name: "kube-root-ca.crt" }).catch(() => undefined);

test("five objects are listed in three pages of one revision with remaining counts", async () => {
  const path = "/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles";
  for (const name of ["a", "b", "c", "d", "e"])
    await server.call("POST", path, { body: { metadata: { name } } });
  const first = await list(`${path}?limit=2`);
  await server.call("POST", path, { body: { metadata: { name: "bb" } } });
  await server.call("DELETE", `${path}/d`);
  const second = await list(`${path}?limit=2&continue=${first.next}`);
  const third = await list(`${path}?limit=2&continue=${second.next}`);
  assert.deepEqual([first.names, second.names, third.names], [["a", "b"], ["c", "d"], ["e"]]);
  assert.deepEqual([first.remaining, second.remaining, third.remaining], [3, 1, undefined]);
  assert.deepEqual([second.revision, third.revision], [first.revision, first.revision]);
  assert.equal(third.next, "");
});

test("a list with a selector has no remaining count and continues after the last selected object", async () => {
  const path = await filled("selected", 6);
  const first = await list(`${path}?limit=2&labelSelector=odd`);
  assert.deepEqual([first.names, first.remaining], [["a1", "a3"], undefined]);
  const second = await list(`${path}?limit=2&labelSelector=odd&continue=${first.next}`);
  assert.deepEqual([second.names, second.next], [["a5"], ""]);
});

test("the limit is ignored for revision 0 and applied otherwise", async () => {
  const path = await filled("limits", 3);
  await settled("limits");
  assert.equal((await list(`${path}?limit=1&resourceVersion=0`)).names.length, 3);
  const any = `${path}?limit=1&resourceVersion=0&resourceVersionMatch=NotOlderThan`;
  assert.equal((await list(any)).names.length, 3);
  const first = await list(`${path}?limit=1`);
  assert.deepEqual(first.names, ["a0"]);
  assert.deepEqual((await list(`${path}?limit=1&resourceVersion=0&continue=${first.next}`)).names, ["a1"]);
  assert.equal((await list(`${path}?limit=-1`)).names.length, 3);
});

test("a list at a revision is exact or not older, according to resourceVersionMatch", async () => {
  const path = await filled("matched", 2);
  await settled("matched");
  const { revision } = await list(path);
  const { client } = server.cluster;
  await client.delete(configMaps, { namespace: "matched", name: "a0" });
  const names = async (query: string) => (await list(`${path}?${query}`)).names;
  assert.deepEqual(await names(`resourceVersion=${revision}&resourceVersionMatch=Exact`), ["a0", "a1"]);
  assert.deepEqual(await names(`resourceVersion=${revision}&resourceVersionMatch=NotOlderThan`), ["a1"]);
  assert.deepEqual(await names(`resourceVersion=${revision}`), ["a1"]);
  const paged = await list(`${path}?resourceVersion=${revision}&limit=1`);
  assert.deepEqual([paged.names, paged.revision], [["a0"], revision]);
});

test("a continue token is only valid for its list of its cluster", async () => {
  const path = await filled("tokens", 2);
  const other = await filled("others", 1);
  const { next } = await list(`${path}?limit=1`);
  const [content = "", proof = ""] = decodeURIComponent(next).split(".");
  const later = Buffer.from(Buffer.from(content, "base64url").toString().replace("a0", "a9"));
  for (const [where, token] of [
    [other, next],
    ["/api/v1/configmaps", next],
    [path, content],
    [path, `${content}.${proof.slice(0, -1)}`],
    [path, `${later.toString("base64url")}.${proof}`],
    [path, "AAAA"],
  ]) {
    const { status, body } = await server.call("GET", `${where}?limit=1&continue=${token}`);
    assert.deepEqual([status, scalarStringAt(body, "reason")], [400, "BadRequest"], token);
    assert.match(scalarStringAt(body, "message"), /^invalid continue token: continue key is not valid: /);
  }
});

test("a compacted snapshot fails with 410 and a token for the rest of the current list", async () => {
  const path = await filled("expired", 3);
  await settled("expired");
  const first = await list(`${path}?limit=1`);
  const { client } = server.cluster;
  await client.delete(configMaps, { namespace: "expired", name: "a1" });
  await server.cluster.forgetHistory();
  const { status, body } = await server.call("GET", `${path}?limit=1&continue=${first.next}`);
  assert.deepEqual([status, scalarStringAt(body, "reason"), valueAt(body, "code")], [410, "Expired", 410]);
  assert.match(
    scalarStringAt(body, "message"),
    /^The provided continue parameter is too old to display a consistent list/,
  );
  const fresh = encodeURIComponent(scalarStringAt(body, "metadata", "continue"));
  const rest = await list(`${path}?continue=${fresh}`);
  assert.deepEqual([rest.names, rest.next], [["a2"], ""]);
  assert.ok(Number(rest.revision) > Number(first.revision));
  const exact = await server.call(
    "GET",
    `${path}?resourceVersion=${first.revision}&resourceVersionMatch=Exact`,
  );
  assert.deepEqual(
    [exact.status, scalarStringAt(exact.body, "message")],
    [410, "The resourceVersion for the provided list is too old."],
  );
});

describe("contradictory options", { concurrency: true }, () => {
  const invalid = (text: string) => `ListOptions.meta.k8s.io "" is invalid: ${text}`;
  const match = "resourceVersionMatch";
  const unsupported = `${match}: Unsupported value: "Exact": supported values: "NotOlderThan"`;
  const requires = `${match}: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan`;
  for (const [query, code, message] of [
    [
      `${match}=Exact`,
      422,
      invalid(`${match}: Forbidden: ${match} is forbidden unless resourceVersion is provided`),
    ],
    [
      `${match}=Exact&resourceVersion=0`,
      422,
      invalid(`${match}: Forbidden: ${match} "exact" is forbidden for resourceVersion "0"`),
    ],
    [
      `${match}=Foo&resourceVersion=1`,
      422,
      invalid(`${match}: Unsupported value: "Foo": supported values: "Exact", "NotOlderThan", ""`),
    ],
    [
      `${match}=Exact&resourceVersion=1&continue=x`,
      422,
      invalid(`${match}: Forbidden: ${match} is forbidden when continue is provided`),
    ],
    [
      "sendInitialEvents=true",
      422,
      invalid("sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list"),
    ],
    ["watch=1&sendInitialEvents=true", 422, invalid(requires)],
    [
      `watch=1&sendInitialEvents=true&resourceVersion=1&${match}=Exact`,
      422,
      invalid(`[${requires}, ${unsupported}]`),
    ],
    [
      `watch=1&${match}=NotOlderThan`,
      422,
      invalid(`${match}: Forbidden: ${match} is forbidden for watch unless sendInitialEvents is provided`),
    ],
    ["continue=x&resourceVersion=7", 400, "specifying resource version is not allowed when using continue"],
    ["limit=many", 400, 'strconv.ParseInt: parsing "many": invalid syntax'],
  ] as const) {
    test(`${query} fails with ${code}`, async () => {
      const { status, body } = await server.call("GET", `/api/v1/configmaps?${query}`);
      assert.deepEqual([status, scalarStringAt(body, "message")], [code, message]);
      if (code === 422) assert.equal(scalarStringAt(body, "details", "kind"), "ListOptions");
    });
  }
});

describe("a future revision", { concurrency: true }, () => {
  const tooLarge = (body: unknown, asked: number) => {
    assert.match(
      scalarStringAt(body, "message"),
      new RegExp(`^Timeout: Too large resource version: ${asked}, current: \\d+$`),
    );
    assert.deepEqual(
      [scalarStringAt(body, "reason"), valueAt(body, "details", "retryAfterSeconds")],
      ["Timeout", 1],
    );
    const [cause] = listAt(body, "details", "causes");
    assert.equal(scalarStringAt(cause, "reason"), "ResourceVersionTooLarge");
  };
  for (const query of [
    "?resourceVersion=900000000",
    "?resourceVersion=900000000&resourceVersionMatch=NotOlderThan",
    "?resourceVersion=900000000&resourceVersionMatch=Exact",
    "/none?resourceVersion=900000000",
    "?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&resourceVersion=900000000",
  ]) {
    test(`${query} fails with 504 if it is not reached`, async () => {
      const { status, body } = await server.call("GET", `/api/v1/namespaces/default/configmaps${query}`);
      assert.equal(status, 504);
      tooLarge(body, 900_000_000);
    });
  }

  test("is waited for", async () => {
    // The test uses an existing namespace. In a new namespace, controllers would write objects and thereby increase the revision.
    const path = "/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles";
    const { revision } = await list(path);
    const later = list(`${path}?resourceVersion=${Number(revision) + 2}&resourceVersionMatch=NotOlderThan`);
    for (const name of ["one", "two"]) await server.call("POST", path, { body: { metadata: { name } } });
    const { status, names } = await later;
    assert.equal(status, 200);
    assert.ok(names.includes("two"));
  });
});

test("the extent of the history is a metric", async () => {
  await filled("metric", 1);
  const { status, text } = await server.call("GET", "/metrics");
  assert.equal(status, 200);
  const value = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1]);
  assert.ok(value("apiserver_watch_history_seconds") >= 0);
  assert.ok(value("apiserver_watch_history_events") > 0);
  assert.ok(value("apiserver_watch_history_bytes") > 100);
  assert.match(text, /^apiserver_storage_objects\{resource="clusterroles.rbac.authorization.k8s.io"\} \d+$/m);
});
