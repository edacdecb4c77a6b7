import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubeObject, ObjectMeta } from "@keelson/kube";
import type { Change } from "../cache/informer.ts";
import {
  allOf,
  annotationsChanged,
  anyOf,
  generationChanged,
  labelsChanged,
  named,
  withLabels,
} from "./predicates.ts";

const object = (metadata: Partial<ObjectMeta>): KubeObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "a", ...metadata },
});
const update = (before: Partial<ObjectMeta>, now: Partial<ObjectMeta>): Change => ({
  type: "updated",
  object: object(now),
  before: object(before),
  initial: false,
});
const creation: Change = { type: "created", object: object({}), initial: false };
const deletion: Change = { type: "deleted", object: object({}), before: object({}), initial: false };

for (const { name, predicate, change, passes } of [
  {
    name: "a new generation",
    predicate: generationChanged,
    change: update({ generation: 1 }, { generation: 2 }),
    passes: true,
  },
  {
    name: "the same generation",
    predicate: generationChanged,
    change: update({ generation: 1 }, { generation: 1 }),
    passes: false,
  },
  { name: "a creation has a new generation", predicate: generationChanged, change: creation, passes: true },
  {
    name: "a deletion counts as a new generation",
    predicate: generationChanged,
    change: deletion,
    passes: true,
  },
  {
    name: "another label",
    predicate: labelsChanged,
    change: update({ labels: { a: "1" } }, { labels: { a: "2" } }),
    passes: true,
  },
  {
    name: "labels in a different order",
    predicate: labelsChanged,
    change: update({ labels: { a: "1", b: "2" } }, { labels: { b: "2", a: "1" } }),
    passes: false,
  },
  {
    name: "another annotation",
    predicate: annotationsChanged,
    change: update({}, { annotations: { a: "1" } }),
    passes: true,
  },
  { name: "the name", predicate: named("a", "b"), change: creation, passes: true },
  { name: "another name", predicate: named("b"), change: creation, passes: false },
  {
    name: "a label that was taken away",
    predicate: withLabels({ a: "1" }),
    change: update({ labels: { a: "1" } }, {}),
    passes: true,
  },
  {
    name: "a label with a different value",
    predicate: withLabels({ a: "1" }),
    change: update({ labels: { a: "2" } }, {}),
    passes: false,
  },
  { name: "one of two", predicate: anyOf(named("b"), generationChanged), change: creation, passes: true },
  {
    name: "not both of two",
    predicate: allOf(named("b"), generationChanged),
    change: creation,
    passes: false,
  },
]) {
  test(`${name} ${passes ? "passes" : "is left out"}`, () => assert.equal(predicate(change), passes));
}
