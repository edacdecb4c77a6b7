import assert from "node:assert/strict";
import { test } from "node:test";
import { Secret, silentLogger, systemClock } from "@keelson/base";
import { eventually } from "@keelson/base/testing/eventually";
import { exampleMachine, examplePlace, FakeHypervisor } from "../testing/fake-hypervisor.ts";
import { MachineView } from "./machine-view.ts";
import { followHypervisor } from "./stream.ts";
import { parseMachineEvent, roleOf } from "./virtual-machine.ts";

const infraId = "demo-x7k2p";
const deps = { clock: systemClock, logger: silentLogger };

async function followed(hypervisor: FakeHypervisor) {
  const changes: string[] = [];
  const view = new MachineView(systemClock, {
    changed: (_infraId, { name }) => changes.push(name),
    synced: () => changes.push("synced"),
  });
  view.addCluster(infraId, examplePlace);
  const stop = new AbortController();
  const following = followHypervisor(hypervisor.endpoint, view, deps, stop.signal);
  await eventually(() => assert.ok(view.complete));
  return {
    view,
    changes,
    names: () =>
      view
        .ofCluster(infraId)
        .list()
        .map(({ name }) => name),
    async [Symbol.asyncDispose]() {
      stop.abort();
      await following;
    },
  };
}

test("existing machines come first, then synced, then changes", async () => {
  await using hypervisor = await FakeHypervisor.start();
  hypervisor.put(exampleMachine("a"));
  await using follower = await followed(hypervisor);
  assert.deepEqual(follower.changes, ["a", "synced"]);
  hypervisor.put(exampleMachine("b"));
  hypervisor.remove("a");
  await eventually(() => assert.deepEqual(follower.names(), ["b"]));
  assert.deepEqual(follower.changes, ["a", "synced", "b", "a"]);
});

test("after an interruption the view is correct and reports deleted machines", async () => {
  await using hypervisor = await FakeHypervisor.start();
  for (const name of ["a", "b", "c"]) hypervisor.put(exampleMachine(name));
  await using follower = await followed(hypervisor);
  follower.changes.length = 0;
  hypervisor.interrupt(["b"]);
  await eventually(() => assert.deepEqual(follower.names(), ["a", "c"]));
  assert.deepEqual(follower.changes, ["a", "c", "b"]);
});

test("a machine counts as running since its creation at first sight, since now when it was started later", async () => {
  await using hypervisor = await FakeHypervisor.start();
  hypervisor.put(exampleMachine("a"));
  await using follower = await followed(hypervisor);
  const runningSince = () => follower.view.ofCluster(infraId).find("a")?.runningSince;
  assert.equal(runningSince()?.toISOString(), "2026-01-01T00:00:00.000Z");
  hypervisor.put(exampleMachine("a", { powerState: "deallocated" }));
  await eventually(() => assert.equal(runningSince(), undefined));
  const restarted = Date.now();
  hypervisor.put(exampleMachine("a"));
  await eventually(() => assert.ok((runningSince()?.getTime() ?? 0) >= restarted));
});

test("machines of clusters that a different process runs are ignored", () => {
  const changes: string[] = [];
  const listener = { changed: (each: string) => changes.push(each), synced: () => undefined };
  const view = new MachineView(systemClock, listener, (each) => each === infraId);
  const [own, foreign] = [`${infraId}-master-0`, "other-aaaaa-master-0"].map((name) => exampleMachine(name));
  for (const vm of [own, foreign]) if (vm) view.apply({ type: "ADDED", vm });
  view.apply({ type: "SYNCED" });
  assert.deepEqual([...view.infraIds()], [infraId]);
  assert.equal(view.infraIdOf(foreign?.id ?? ""), undefined);
  assert.equal(view.infraIdOf(own?.id ?? ""), infraId);
  const worker = exampleMachine("other-aaaaa-worker-1");
  view.apply({ type: "ADDED", vm: worker });
  for (const vm of [worker, foreign]) if (vm) view.apply({ type: "DELETED", vm });
  assert.deepEqual(changes, [infraId]);
});

test("a wrong token is rejected and the stream is retried until the signal aborts", async () => {
  await using hypervisor = await FakeHypervisor.start();
  const view = new MachineView(systemClock, { changed: () => undefined, synced: () => undefined });
  const stop = new AbortController();
  const endpoint = { ...hypervisor.endpoint, adminToken: new Secret("wrong") };
  const following = followHypervisor(
    endpoint,
    view,
    deps,
    AbortSignal.any([stop.signal, AbortSignal.timeout(250)]),
  );
  await following;
  assert.equal(view.complete, false);
});

test("machines of an unknown cluster are assigned to it after it is known", () => {
  const changes: string[] = [];
  const view = new MachineView(systemClock, {
    changed: (cluster, { name }) => changes.push(`${cluster}/${name}`),
    synced: () => changes.push("synced"),
  });
  for (const name of ["own-name", `${infraId}-worker-1`])
    view.apply({ type: "ADDED", vm: exampleMachine(name) });
  assert.deepEqual(changes, []);
  view.apply({ type: "ADDED", vm: exampleMachine(`${infraId}-master-0`) });
  view.apply({ type: "DELETED", vm: exampleMachine("own-name", { subnetIds: [] }) });
  const names = [`${infraId}-master-0`, "own-name", `${infraId}-worker-1`, "own-name"];
  assert.deepEqual(
    changes,
    names.map((name) => `${infraId}/${name}`),
  );
});

test("a machine is found by its name until it is deleted, also if a second group has the name", () => {
  const view = new MachineView(systemClock, { changed: () => undefined, synced: () => undefined });
  view.addCluster(infraId, examplePlace);
  const master = exampleMachine(`${infraId}-master-0`);
  const { name } = master;
  const other = { ...master, id: master.id.replace(/resourceGroups\/[^/]+/, "resourceGroups/other") };
  const found = () => view.ofCluster(infraId).find(name)?.id;
  view.apply({ type: "ADDED", vm: master });
  assert.equal(found(), master.id);
  view.apply({ type: "ADDED", vm: other });
  view.apply({ type: "DELETED", vm: master });
  assert.equal(found(), other.id);
  view.apply({ type: "DELETED", vm: other });
  assert.equal(found(), undefined);
});

test("a machine has its role by its name", () => {
  assert.equal(roleOf(exampleMachine(`${infraId}-bootstrap`), infraId), "bootstrap");
  assert.equal(roleOf(exampleMachine(`${infraId}-master-0`), infraId), "master");
  assert.equal(roleOf(exampleMachine(`${infraId}-worker-eastus1-abcde`), infraId), "worker");
});

for (const line of [
  '{"type":"RENAMED"}',
  '{"type":"ADDED"}',
  '{"type":"ADDED","vm":{"id":"x"}}',
  "[]",
  "nonsense",
])
  test(`the line ${line} is rejected`, () => assert.throws(() => parseMachineEvent(line)));
