import assert from "node:assert/strict";
import { test } from "node:test";
import { Store } from "../store/store.ts";
import { NewIds } from "./new-ids.ts";

const seeded = (seed: number, store = Store.inMemory()) => new NewIds(store, (key) => `${seed} ${key}`);

test("IDs with the same seed are equal in any order, and a recreated object gets a new ID", () => {
  const [first, second, other] = [7, 7, 8].map((seed) => seeded(seed));
  assert.ok(first && second && other);
  const one = first.next("/a", "vmId");
  const two = first.next("/b", "vmId");
  assert.equal(second.next("/B", "vmId"), two);
  assert.equal(second.next("/a", "vmId"), one);
  assert.notEqual(first.next("/a", "uniqueId"), one);
  assert.notEqual(first.next("/a", "vmId"), one);
  assert.notEqual(other.next("/a", "vmId"), one);
});

test("a restarted simulator does not repeat the ID of an existing object", () => {
  const store = Store.inMemory();
  const id = seeded(7, store).next("/a", "vmId");
  assert.notEqual(seeded(7, store).next("/a", "vmId"), id);
});

test("IDs without a seed are random", () => {
  const [first, second] = [new NewIds(Store.inMemory(), undefined), new NewIds(Store.inMemory(), undefined)];
  assert.notEqual(first.next("/a", "vmId"), second.next("/a", "vmId"));
});
