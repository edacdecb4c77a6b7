import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, test } from "node:test";
import { Secret } from "@keelson/base";
import { create, remove } from "@keelson/database";
import { portalRoutes } from "@keelson/portal-api";
import { Value } from "typebox/value";
import { storeCluster, subscriptionId } from "../testing/store-cluster.ts";
import { type Person, startTestPortal, type TestPortal } from "../testing/test-portal.ts";

const signal = AbortSignal.timeout(900_000);
const createdAt = "2026-11-20T10:00:00.000Z";
const startedMs = Date.parse("2026-11-21T10:00:00.000Z");
let at: TestPortal;
let reader: Person;
let administrator: Person;
before(async () => {
  at = await startTestPortal();
  [reader, administrator] = await Promise.all([at.signedIn("reader"), at.signedIn("administrator")]);
});
after(() => at?.[Symbol.asyncDispose]());

const get = ({ browser }: Person, path: string) => browser.send(at.portal.url, path);
const pathOf = (key: string) => {
  const [, , subscription, , group, , , , name] = key.split("/");
  return `/api/${subscription}/${group}/${name}/recordings`;
};

async function findCluster(key: string) {
  const found = await at.database.collections.clusters.findBy(subscriptionId, "key", key, signal);
  assert.ok(found);
  return found;
}

/** Stores a recording and returns its ID. */
async function put(
  clusterKey: string,
  clusterDocumentId: string | undefined,
  { atMs = 0, command }: { readonly atMs?: number; readonly command?: string } = {},
): Promise<string> {
  const { database } = at;
  const header = { version: 2, width: 80, height: 24, ...(command ? { command } : {}) };
  const document = {
    id: randomUUID(),
    partitionKey: subscriptionId,
    clusterKey,
    ...(clusterDocumentId === undefined ? {} : { clusterDocumentId }),
    newestFirst: -(startedMs + atMs),
    session: "s",
    username: "ada@example.com",
    master: 1,
    kind: command ? ("exec" as const) : ("shell" as const),
    startedAt: new Date(startedMs + atMs).toISOString(),
    truncated: false,
    recording: new Secret(`${JSON.stringify(header)}\n[1,"o","seen"]\n`),
  };
  const write = create(database.collections.sshRecordings, document);
  assert.equal((await database.commit(subscriptionId, [write], { signal })).kind, "committed");
  return document.id;
}

const listed = async (key: string): Promise<readonly string[]> =>
  JSON.parse((await get(administrator, pathOf(key))).text).recordings.map(({ id }: { id: string }) => id);

test("recordings of SSH are readable only with all rights and below their own cluster, and the audit has their readers", async () => {
  const key = await storeCluster(at.database, { createdAt });
  const { id } = (await findCluster(key)).document;
  const shell = await put(key, id);
  for (let atMs = 1; atMs <= 25; atMs++) await put(key, id, { atMs, command: "oc get nodes" });
  const path = pathOf(key);
  for (const each of [path, `${path}/${shell}`]) assert.equal((await get(reader, each)).status, 403, each);
  const first = JSON.parse((await get(administrator, path)).text);
  assert.deepEqual([...Value.Errors(portalRoutes.recordings.response, first)], []);
  assert.deepEqual([first.recordings.length, first.recordings[0].command], [25, "oc get nodes"]);
  const older = `${path}?continuation=${encodeURIComponent(first.continuation)}`;
  const { recordings } = JSON.parse((await get(administrator, older)).text);
  assert.deepEqual(
    recordings.map((each: { id: string; kind: string }) => [each.id, each.kind]),
    [[shell, "shell"]],
  );
  const one = await get(administrator, `${path}/${shell}`);
  assert.match(one.text, /"o","seen"/);
  assert.match(
    `${one.headers["content-disposition"]}`,
    /^attachment; filename="c-[0-9a-f]+-[0-9a-f-]+\.cast"$/,
  );
  const line = at.lines.findLast(({ logKind }) => logKind === "audit");
  assert.deepEqual(
    [line?.caller, line?.target, line?.result],
    ["administrator@keelson.local", `${path}/${shell}`, "Success"],
  );
  const other = await storeCluster(at.database);
  for (const each of [`${pathOf(other)}/${shell}`, `${path}/${randomUUID()}`])
    assert.equal((await get(administrator, each)).status, 404, each);
});

test("recordings of a deleted cluster are read until a new cluster has its name", async () => {
  const name = `c-${randomUUID().slice(0, 8)}`;
  const key = await storeCluster(at.database, { createdAt: "2026-11-01T10:00:00.000Z" }, name);
  const first = await findCluster(key);
  const bound = await put(key, first.document.id);
  const unbound = await put(key, undefined, { atMs: -1 });
  assert.deepEqual(await listed(key), [bound, unbound]);
  const { clusters } = at.database.collections;
  await at.database.commit(subscriptionId, [remove(clusters, first)], { signal });
  assert.deepEqual(await listed(key), [bound, unbound]);
  await storeCluster(at.database, { createdAt: "2026-11-22T10:00:00.000Z" }, name);
  const own = await put(key, (await findCluster(key)).document.id, { atMs: 2 * 86_400_000 });
  assert.deepEqual(await listed(key), [own]);
  for (const id of [bound, unbound])
    assert.equal((await get(administrator, `${pathOf(key)}/${id}`)).status, 404);
  assert.equal((await get(administrator, `${pathOf(key)}/${own}`)).status, 200);
});

test("a foreign continuation is 400, and does not affect concurrent requests", async () => {
  const path = pathOf(await storeCluster(at.database));
  const forged = ["a b", "", "1.5", "9223372036854775808", "\0", null].map((position) =>
    Buffer.from(JSON.stringify([position, "x", "y"])).toString("base64url"),
  );
  const valid = Buffer.from(JSON.stringify(["1", "x", "y"])).toString("base64url");
  for (const each of [...forged, "x"]) {
    const [bad, good] = await Promise.all(
      [each, valid].map((continuation) => get(administrator, `${path}?continuation=${continuation}`)),
    );
    assert.deepEqual([bad?.status, good?.status], [400, 200], each);
  }
});
