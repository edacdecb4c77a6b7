import assert from "node:assert/strict";
import { test } from "node:test";
import { silentLogger } from "@keelson/base";
import { ManualClock } from "@keelson/base/testing";
import { type KubeObject, resources } from "@keelson/kube";
import fc from "fast-check";
import { ScriptedApi, type ScriptedFault } from "../testing/scripted-api.ts";
import { type Change, Informer } from "./informer.ts";
import { withoutManagedFields } from "./strip-fields.ts";

const turns = async (count = 5) => {
  for (let at = 0; at < count; at++) await new Promise<void>((resolve) => setImmediate(resolve));
};

/** Creates an informer for a scripted server and records its reports. */
function follow(api: ScriptedApi, { maxObjects = 100 } = {}) {
  const clock = new ManualClock();
  const stop = new AbortController();
  const informer = new Informer<KubeObject>({
    api,
    resource: resources.configMaps,
    selection: {},
    strip: withoutManagedFields,
    maxObjects,
    clock,
    logger: silentLogger,
  });
  const changes: Change[] = [];
  informer.subscribe((change) => changes.push(change));
  const ended = informer.run(stop.signal);
  const texts = () => changes.map(({ type, object }) => `${type} ${object.metadata.name}`);
  return {
    informer,
    clock,
    changes,
    texts,
    async [Symbol.asyncDispose]() {
      stop.abort();
      await ended;
    },
  };
}

for (const refusal of [undefined, 422, 500]) {
  const way = refusal === undefined ? "streamed" : `listed after a ${refusal}`;
  test(`what exists is ${way} once, then changes come`, async () => {
    const api = new ScriptedApi();
    api.refusesStreams = refusal;
    api.write("a", "1");
    await using following = follow(api);
    await following.informer.synced();
    api.write("b", "1");
    api.write("a", "2");
    api.remove("b");
    await turns();
    assert.deepEqual(following.texts(), ["created a", "created b", "updated a", "deleted b"]);
    assert.deepEqual(
      following.changes.map(({ initial }) => initial),
      [true, false, false, false],
    );
    assert.equal(api.calls.lists, refusal === undefined ? 0 : 1);
  });
}

test("what this process deleted is gone at once, once, and not what has its name since", async () => {
  const api = new ScriptedApi();
  const first = api.write("a", "1");
  await using following = follow(api);
  await following.informer.synced();
  following.informer.removed({ ...first, metadata: { ...first.metadata, uid: "another" } });
  assert.equal(following.informer.size, 1);
  following.informer.removed(first);
  assert.equal(following.informer.size, 0);
  api.remove("a");
  await turns();
  assert.deepEqual(following.texts(), ["created a", "deleted a"]);
});

test("a broken watch resumes without a list", async () => {
  const api = new ScriptedApi();
  api.faults.push({ kind: "breaks", after: 3 });
  api.write("a", "1");
  await using following = follow(api);
  await following.informer.synced();
  api.write("b", "1");
  api.write("c", "1");
  await turns();
  await following.clock.advance(60_000);
  await turns();
  assert.deepEqual(following.texts(), ["created a", "created b", "created c"]);
  assert.equal(api.calls.watches, 2);
});

test("after an expired watch the list reveals deletions", async () => {
  const api = new ScriptedApi();
  api.faults.push({ kind: "breaks", after: 3 });
  for (const name of ["a", "b"]) api.write(name, "1");
  await using following = follow(api);
  await following.informer.synced();
  api.write("c", "1");
  api.remove("a");
  api.write("b", "2");
  api.compact();
  await turns();
  await following.clock.advance(60_000);
  await turns();
  const names = following.informer.list().map(({ metadata }) => metadata.name);
  assert.deepEqual(names.toSorted(), ["b", "c"]);
  assert.ok(following.texts().includes("deleted a"));
  assert.ok(following.texts().includes("updated b"));
});

test("a server that fails is asked ever more rarely", async () => {
  const api = new ScriptedApi();
  for (let at = 0; at < 1_000; at++) api.faults.push({ kind: "fails", code: 500 });
  await using following = follow(api);
  await following.clock.advance(5 * 60_000);
  const requests = api.calls.watches + api.calls.lists;
  assert.ok(requests < 30, `${requests} requests in five minutes`);
  assert.equal(following.informer.hasSynced, false);
});

test("a resource that is not served counts as empty, and is found when it is served", async () => {
  const api = new ScriptedApi();
  api.faults.push({ kind: "fails", code: 404 });
  await using following = follow(api);
  await following.informer.synced();
  assert.deepEqual(following.informer.list(), []);
  api.write("a", "1");
  await following.clock.advance(60_000);
  await turns();
  assert.deepEqual(following.texts(), ["created a"]);
});

test("what a resource held is gone when it is no longer served", async () => {
  const api = new ScriptedApi();
  api.write("a", "1");
  api.faults.push({ kind: "ends", after: 2 }, { kind: "fails", code: 404 });
  await using following = follow(api);
  await following.informer.synced();
  api.write("b", "1");
  await turns();
  await following.clock.advance(2_000);
  await turns();
  assert.equal(following.texts().includes("deleted a"), true);
});

test("an own write is seen at once, and not reported again by the watch", async () => {
  const api = new ScriptedApi();
  api.write("a", "1");
  await using following = follow(api);
  await following.informer.synced();
  const written = api.write("a", "2");
  following.informer.written(written);
  assert.deepEqual(following.informer.get({ namespace: "default", name: "a" })?.data, { data: "2" });
  await turns();
  assert.deepEqual(following.texts(), ["created a", "updated a"]);
});

test("an own write that the watch has passed does not bring back what was deleted", async () => {
  const api = new ScriptedApi();
  await using following = follow(api);
  await following.informer.synced();
  const written = api.write("a", "1");
  api.remove("a");
  await turns();
  following.informer.written(written);
  assert.deepEqual(following.informer.list(), []);
});

test("more objects than there is memory for end the reading, not the process", async () => {
  const api = new ScriptedApi();
  for (const name of ["a", "b", "c", "d"]) api.write(name, "1");
  await using following = follow(api, { maxObjects: 3 });
  await following.clock.advance(10_000);
  assert.equal(following.informer.size, 3);
  assert.equal(following.informer.hasSynced, false);
});

test("objects are found by index, also those that were there before it", async () => {
  const api = new ScriptedApi();
  api.write("a", "x");
  await using following = follow(api);
  await following.informer.synced();
  following.informer.addIndex("data", (object) => {
    const data = object.data as { data: string };
    return [data.data];
  });
  api.write("b", "x");
  api.write("a", "y");
  await turns();
  const found = (value: string) => following.informer.by("data", value).map(({ metadata }) => metadata.name);
  assert.deepEqual([found("x"), found("y"), found("z")], [["b"], ["a"], []]);
});

type Step =
  | { readonly kind: "write" | "remove"; readonly name: string; readonly data: string }
  | { readonly kind: "compact" | "turn" }
  | { readonly kind: "fault"; readonly fault: ScriptedFault };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constantFrom("write" as const, "write" as const, "remove" as const),
    name: fc.constantFrom("a", "b", "c", "d"),
    data: fc.string({ maxLength: 2 }),
  }),
  fc.record({ kind: fc.constantFrom("compact" as const, "turn" as const) }),
  fc.record({
    kind: fc.constant("fault" as const),
    fault: fc.oneof(
      fc.record({ kind: fc.constant("fails" as const), code: fc.constantFrom(500, 429, 403, 410, 0) }),
      fc.record({ kind: fc.constantFrom("ends" as const, "breaks" as const), after: fc.nat(4) }),
    ),
  }),
);

test("whatever breaks, the cache ends as the server is, and its changes add up to it", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 30 }),
      fc.constantFrom(undefined, 422, 500),
      async (steps, refusal) => {
        const api = new ScriptedApi();
        api.refusesStreams = refusal;
        await using following = follow(api);
        for (const each of steps) {
          if (each.kind === "write") following.informer.written(api.write(each.name, each.data));
          else if (each.kind === "remove") api.remove(each.name);
          else if (each.kind === "compact") api.compact();
          else if (each.kind === "fault") api.faults.push(each.fault);
          else await following.clock.advance(2_000);
        }
        api.faults.length = 0;
        await following.clock.advance(120_000);
        await turns();
        const byName = (objects: readonly KubeObject[]) =>
          objects.toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
        assert.deepEqual(byName(following.informer.list()), byName(api.objects));
        assert.deepEqual(byName(replay(following.changes)), byName(api.objects));
      },
    ),
    { numRuns: 100 },
  );
});

/** Applies the changes in order. Asserts that each change starts from the result of the previous one. */
function replay(changes: readonly Change[]): readonly KubeObject[] {
  const objects = new Map<string, KubeObject>();
  for (const { type, object, before } of changes) {
    const { name } = object.metadata;
    assert.deepEqual(objects.get(name), before, `${type} ${name}`);
    if (type === "deleted") objects.delete(name);
    else objects.set(name, object);
  }
  return [...objects.values()];
}
