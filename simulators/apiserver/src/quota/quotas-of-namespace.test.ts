import assert from "node:assert/strict";
import { test } from "node:test";
import { GroupCommit, memoryJournal } from "@keelson/sim-store";
import { RevisionStore } from "../storage/revision-store.ts";
import { quotaBucket, quotasOfNamespace } from "./quotas-of-namespace.ts";

async function openStore(): Promise<RevisionStore> {
  const journal = memoryJournal();
  const cluster = await journal.addLog("c", "{}");
  return RevisionStore.open({ journal, commits: new GroupCommit(journal), cluster, nowMs: () => 0 });
}

function putQuota(store: RevisionStore, name: string, limits: number, bytes = 0): void {
  const hard = Object.fromEntries(Array.from({ length: limits }, (_, at) => [`count/r${at}`, "1"]));
  store.put(quotaBucket, `a/${name}`, 0, {
    apiVersion: "v1",
    kind: "ResourceQuota",
    metadata: { namespace: "a", name, annotations: { note: "x".repeat(bytes) } },
    spec: { hard },
  });
}

const namesIn = (store: RevisionStore) => quotasOfNamespace(store, "a").map(({ view }) => view.metadata.name);

test("only the first hundred ResourceQuotas of a namespace apply", async () => {
  const store = await openStore();
  const names = Array.from({ length: 101 }, (_, at) => `q${1_000 + at}`);
  for (const name of names) putQuota(store, name, 1);
  assert.deepEqual(namesIn(store), names.slice(0, 100));
});

test("quotas beyond a thousand limits do not apply", async () => {
  const store = await openStore();
  putQuota(store, "a-many", 1_001);
  putQuota(store, "b", 990);
  putQuota(store, "c-more", 11);
  putQuota(store, "d", 10);
  assert.deepEqual(namesIn(store), ["b", "d"]);
});

test("quotas beyond 2 MiB do not apply", async () => {
  const store = await openStore();
  for (const name of ["a", "b", "c"]) putQuota(store, name, 1, 900_000);
  putQuota(store, "d", 1);
  assert.deepEqual(namesIn(store), ["a", "b", "d"]);
});
