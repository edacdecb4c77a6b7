import assert from "node:assert/strict";
import { test } from "node:test";
import { GroupCommit, memoryJournal } from "@keelson/sim-store";
import { RevisionStore } from "../storage/revision-store.ts";
import { ClusterQuotaIndex, clusterQuotaBucket, namespaceBucket } from "./cluster-quota-index.ts";

async function openStore(): Promise<RevisionStore> {
  const journal = memoryJournal();
  const cluster = await journal.addLog("c", "{}");
  return RevisionStore.open({ journal, commits: new GroupCommit(journal), cluster, nowMs: () => 0 });
}

function putNamespace(store: RevisionStore, name: string, labels: Readonly<Record<string, string>>): void {
  const { revision = 0 } = store.get(namespaceBucket, name) ?? {};
  store.put(namespaceBucket, name, revision, {
    apiVersion: "v1",
    kind: "Namespace",
    metadata: { name, labels },
  });
}

interface Fields {
  readonly labels?: unknown;
  readonly hard?: object;
  readonly status?: object;
}

function putQuota(store: RevisionStore, name: string, { labels, hard = {}, status = {} }: Fields): void {
  const { revision = 0 } = store.get(clusterQuotaBucket, name) ?? {};
  store.put(clusterQuotaBucket, name, revision, {
    apiVersion: "quota.openshift.io/v1",
    kind: "ClusterResourceQuota",
    metadata: { name },
    spec: { selector: { labels: labels ?? { matchLabels: { team: "x" } } }, quota: { hard } },
    status,
  });
}

const namesOf = (index: ClusterQuotaIndex, namespace: string) =>
  index.quotasOf(namespace).map(({ key }) => key);

test("the index follows changes of selectors, labels and quotas", async () => {
  const store = await openStore();
  const index = ClusterQuotaIndex.of(store);
  assert.equal(ClusterQuotaIndex.of(store), index);
  putNamespace(store, "a", { team: "x" });
  assert.deepEqual(namesOf(index, "a"), []);
  putQuota(store, "q", {});
  putQuota(store, "malformed", { labels: { matchExpressions: [null] } });
  assert.deepEqual(namesOf(index, "a"), ["q"]);
  assert.deepEqual(namesOf(index, "missing"), []);
  putNamespace(store, "a", { team: "y" });
  assert.deepEqual(namesOf(index, "a"), []);
  putQuota(store, "malformed", { labels: { matchLabels: { team: "y" } } });
  assert.deepEqual(namesOf(index, "a"), ["malformed"]);
  store.remove(clusterQuotaBucket, "malformed", store.get(clusterQuotaBucket, "malformed")?.revision ?? 0);
  assert.deepEqual(namesOf(index, "a"), []);
});

test("a namespace is compared again only after a change of the namespace or of a selector", async () => {
  const store = await openStore();
  const index = ClusterQuotaIndex.of(store);
  putNamespace(store, "a", { team: "x" });
  putQuota(store, "q", {});
  const owner = store.get(namespaceBucket, "a");
  assert.ok(owner);
  const found = index.matching(owner);
  putQuota(store, "q", { status: { total: { used: { pods: "1" } } } });
  assert.equal(index.matching(owner), found);
  putQuota(store, "q", { labels: { matchLabels: { team: "y" } } });
  assert.deepEqual(index.matching(owner), []);
});

test("only the first hundred quotas by name are effective", async () => {
  const store = await openStore();
  const index = ClusterQuotaIndex.of(store);
  putNamespace(store, "a", { team: "x" });
  const names = Array.from({ length: 101 }, (_, at) => `q${1_000 + at}`);
  for (const name of names.toReversed()) putQuota(store, name, {});
  assert.deepEqual(namesOf(index, "a"), names.slice(0, 100));
  assert.equal(index.has("q1100"), false);
  assert.equal(index.isFull, true);
  store.remove(clusterQuotaBucket, "q1000", store.get(clusterQuotaBucket, "q1000")?.revision ?? 0);
  assert.deepEqual(index.names(), names.slice(1));
});

test("quotas that are large or limit many resources select no namespace", async () => {
  const store = await openStore();
  const index = ClusterQuotaIndex.of(store);
  putNamespace(store, "a", { team: "x" });
  const limits = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`count/r${at}`, "1"]));
  putQuota(store, "allowed", { hard: limits(100) });
  putQuota(store, "many", { hard: limits(101) });
  putQuota(store, "large", { status: { text: "x".repeat(65_536) } });
  assert.deepEqual(namesOf(index, "a"), ["allowed"]);
});
