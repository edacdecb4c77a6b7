import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock } from "@keelson/base/testing";
import { type KubeChanges, type KubeClient, KubeError, type KubeObject, resources } from "@keelson/kube";
import { RetainedLists } from "./retained-lists.ts";

const { signal } = new AbortController();
const hourMs = 3_600_000;

function node(name: string, phase = "Ready"): KubeObject {
  return { apiVersion: "v1", kind: "Node", metadata: { name }, status: { phase } };
}

/** Returns a stub with these nodes. `changes` is the result of the next read of changes. */
function stub(nodes: readonly KubeObject[]) {
  const requests: string[] = [];
  const state = { nodes, changes: undefined as KubeChanges | Error | undefined };
  const kube: Pick<KubeClient, "list" | "changes"> = {
    async list<T extends KubeObject>() {
      requests.push("list");
      return { items: state.nodes as readonly T[], resourceVersion: "10" };
    },
    async changes<T extends KubeObject>(_: unknown, { resourceVersion }: { resourceVersion: string }) {
      requests.push(`changes ${resourceVersion}`);
      if (state.changes instanceof Error) throw state.changes;
      return (state.changes ?? { changes: [], resourceVersion }) as KubeChanges<T>;
    },
  };
  return { kube: kube as KubeClient, requests, state };
}

function lists(totalBytes?: number, clock = new ManualClock()) {
  return new RetainedLists({ clock, random: () => 0.5, ...(totalBytes === undefined ? {} : { totalBytes }) });
}

const names = (objects: readonly KubeObject[]) => objects.map(({ metadata }) => metadata.name);

test("the second read requests only changes, and returns all objects in their order", async () => {
  const { kube, requests, state } = stub([node("a"), node("c"), node("d")]);
  const retained = lists();
  const read = () => retained.of("cluster").list(kube, resources.nodes, {}, signal);
  assert.deepEqual(names(await read()), ["a", "c", "d"]);
  state.changes = {
    changes: [
      { type: "deleted", object: node("d") },
      { type: "changed", object: node("b") },
      { type: "changed", object: node("c", "NotReady") },
    ],
    resourceVersion: "20",
  };
  const second = await read();
  assert.deepEqual(second, [node("a"), node("b"), node("c", "NotReady")]);
  state.changes = undefined;
  assert.deepEqual(await read(), second);
  assert.deepEqual(requests, ["list", "changes 10", "changes 20"]);
  assert.equal(retained.bytes, JSON.stringify(second).length - "[,,]".length);
});

test("if changes cannot be read, or are older than the list, the list is read completely", async () => {
  const older = { changes: [], resourceVersion: "9" };
  for (const changes of [new KubeError(410, "Expired", "too old"), older]) {
    const { kube, requests, state } = stub([node("a")]);
    const reader = lists().of("cluster");
    await reader.list(kube, resources.nodes, {}, signal);
    state.nodes = [node("b")];
    state.changes = changes;
    assert.deepEqual(names(await reader.list(kube, resources.nodes, {}, signal)), ["b"]);
    assert.deepEqual(requests, ["list", "changes 10", "list"]);
  }
});

test("an aborted read of changes is not repeated as a list", async () => {
  const { kube, requests, state } = stub([node("a")]);
  const reader = lists().of("cluster");
  await reader.list(kube, resources.nodes, {}, signal);
  state.changes = new Error("the connection broke");
  const aborted = AbortSignal.abort(new Error("stopped"));
  await assert.rejects(reader.list(kube, resources.nodes, {}, aborted), /stopped/);
  assert.deepEqual(requests, ["list", "changes 10"]);
});

test("lists are read completely about once per hour", async () => {
  const clock = new ManualClock();
  const { kube, requests } = stub([node("a")]);
  const reader = lists(undefined, clock).of("cluster");
  await reader.list(kube, resources.nodes, {}, signal);
  await clock.advance(hourMs - 1);
  await reader.list(kube, resources.nodes, {}, signal);
  await clock.advance(1);
  await reader.list(kube, resources.nodes, {}, signal);
  assert.deepEqual(requests, ["list", "changes 10", "list"]);
});

test("lists beyond the total size are not retained until other clusters are forgotten", async () => {
  const { kube, requests } = stub([node("a")]);
  const retained = lists(100);
  const read = (id: string) => retained.of(id).list(kube, resources.nodes, {}, signal);
  await read("first");
  assert.ok(retained.bytes > 50);
  for (let at = 0; at < 2; at++) assert.deepEqual(names(await read("second")), ["a"]);
  assert.deepEqual(requests.splice(0), ["list", "list", "list"]);
  retained.forget("first");
  assert.equal(retained.bytes, 0);
  for (let at = 0; at < 2; at++) await read("second");
  assert.deepEqual(requests, ["list", "changes 10"]);
});

test("a collection that continues after its cluster was forgotten retains nothing", async () => {
  const { kube } = stub([node("a")]);
  const retained = lists();
  const reader = retained.of("cluster");
  await reader.list(kube, resources.nodes, {}, signal);
  retained.forget("cluster");
  await reader.list(kube, resources.nodes, {}, signal);
  assert.equal(retained.bytes, 0);
});

test("a list that exceeds the limit of one cluster is not retained", async () => {
  const { kube, requests } = stub([node("a", "x".repeat(2 ** 20))]);
  const reader = lists().of("cluster");
  for (let at = 0; at < 2; at++) await reader.list(kube, resources.nodes, {}, signal);
  assert.deepEqual(requests, ["list", "list"]);
});
