import assert from "node:assert/strict";
import { test } from "node:test";
import type { Change } from "@keelson/controller";
import type { KubeObject } from "@keelson/kube";
import { BuildIndex } from "./build-index.ts";
import { configLabel, numberAnnotation, policyLabel } from "./build-refs.ts";

const config = { namespace: "a", name: "web" };

function build(number: number, phase: string, policy = "Serial"): KubeObject {
  return {
    apiVersion: "build.openshift.io/v1",
    kind: "Build",
    metadata: {
      namespace: config.namespace,
      name: `web-${number}`,
      creationTimestamp: "2026-01-01T00:00:00Z",
      annotations: { [configLabel]: config.name, [numberAnnotation]: `${number}` },
      labels: { [policyLabel]: policy },
    },
    status: { phase },
  };
}

/**
 * Returns an index, functions that change its builds, and the names of the builds and BuildConfigs that the index has reported.
 */
function startIndex() {
  const current = new Map<number, KubeObject>();
  const deliver: ((change: Change) => void)[] = [];
  const index = new BuildIndex({
    subscribe(subscriber) {
      deliver.push(subscriber as (change: Change) => void);
      return { [Symbol.dispose]: () => undefined };
    },
  });
  const next: string[] = [];
  const ended: string[] = [];
  index.onNext(({ name }) => next.push(name));
  index.onEnded(({ name }) => ended.push(name));
  const set = (number: number, phase: string, policy?: string) => {
    const before = current.get(number);
    const object = build(number, phase, policy);
    current.set(number, object);
    for (const take of deliver)
      take(
        before
          ? { type: "updated", object, before, initial: false }
          : { type: "created", object, initial: false },
      );
  };
  const remove = (number: number) => {
    const before = current.get(number);
    assert.ok(before);
    current.delete(number);
    for (const take of deliver) take({ type: "deleted", object: before, before, initial: false });
  };
  return { index, next, ended, set, remove };
}

test("the end of a build wakes only the next one", () => {
  const { index, next, ended, set } = startIndex();
  const count = 2_000;
  for (let number = 1; number <= count; number++) set(number, "New");
  for (let number = 1; number <= count; number++) {
    assert.equal(index.mayStart(build(number, "New")), true);
    set(number, "Pending");
    assert.equal(index.mayStart(build(number + 1, "New")), false);
    set(number, "Running");
    set(number, "Complete");
  }
  assert.deepEqual(
    next,
    Array.from({ length: count }, (_, at) => `web-${at + 1}`),
  );
  assert.equal(ended.length, count);
});

test("builds start in the order of their numbers, and deleted builds do not block the queue", () => {
  const { index, next, set, remove } = startIndex();
  set(10, "New");
  set(10, "Running");
  set(9, "New");
  set(2, "New");
  assert.deepEqual(next, ["web-10"]);
  remove(10);
  remove(2);
  assert.deepEqual(next, ["web-10", "web-2", "web-9"]);
  assert.equal(index.mayStart(build(9, "New")), true);
  assert.equal(index.mayStart(build(11, "New", "Parallel")), true);
});

test("the oldest ended builds above the limit are found per outcome", () => {
  const { index, set, remove } = startIndex();
  for (let number = 1; number <= 12; number++) set(number, number % 2 === 0 ? "Complete" : "Failed");
  assert.deepEqual(index.oldest(config, "complete", 3, 20), ["web-2", "web-4", "web-6"]);
  assert.deepEqual(index.oldest(config, "failed", 3, 2), ["web-1", "web-3"]);
  assert.deepEqual(index.oldest(config, "failed", 6, 20), []);
  remove(2);
  assert.deepEqual(index.oldest(config, "complete", 3, 20), ["web-4", "web-6"]);
});
