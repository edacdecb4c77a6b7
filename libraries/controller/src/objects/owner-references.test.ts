import assert from "node:assert/strict";
import { test } from "node:test";
import { type KubeObject, resources } from "@keelson/kube";
import { controllerOf, controllerReference, isControlledBy } from "./owner-references.ts";

const owner: KubeObject = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { namespace: "ns", name: "web", uid: "1" },
};
const reference = controllerReference(owner);
const owned = (...ownerReferences: readonly (typeof reference)[]): KubeObject => ({
  apiVersion: "apps/v1",
  kind: "ReplicaSet",
  metadata: { namespace: "ns", name: "web-1", ownerReferences },
});

test("the owner of an object is found by its controller reference", () => {
  assert.deepEqual(controllerOf(owned(reference), resources.deployments), [{ namespace: "ns", name: "web" }]);
  assert.equal(isControlledBy(owned(reference), owner), true);
});

test("an owner reference may have a different version of the group", () => {
  const older = { ...reference, apiVersion: "apps/v1beta2" };
  assert.deepEqual(controllerOf(owned(older), resources.deployments), [{ namespace: "ns", name: "web" }]);
});

for (const [name, object] of [
  ["without owners", owned()],
  ["with an owner that is no controller", owned({ ...reference, controller: false })],
  ["with an owner of a different kind", owned({ ...reference, kind: "StatefulSet" })],
  ["with an owner of the same kind in a different group", owned({ ...reference, apiVersion: "other.io/v1" })],
] as const) {
  test(`an object ${name} has no controller key`, () => {
    assert.deepEqual(controllerOf(object, resources.deployments), []);
  });
}

test("an owner in no namespace is found from objects in one", () => {
  const node = { apiVersion: "v1", kind: "Node", metadata: { name: "n", uid: "2" } };
  assert.deepEqual(controllerOf(owned(controllerReference(node)), resources.nodes), [{ name: "n" }]);
});

test("an object of an owner that was replaced by a namesake is not controlled by it", () => {
  const replaced = { ...owner, metadata: { ...owner.metadata, uid: "other" } };
  assert.equal(isControlledBy(owned(reference), replaced), false);
});
