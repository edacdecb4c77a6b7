import assert from "node:assert/strict";
import { test } from "node:test";
import { OperationWatch, type WatchedOperation } from "./operation-watch.ts";

const resourceId =
  "/subscriptions/s/resourcegroups/g/providers/microsoft.redhatopenshift/openshiftclusters/demo";
const operation = (id: string): WatchedOperation => ({ id, resourceId, kind: "Updating" });

function watch(stored: string | null = null) {
  const saved: (readonly WatchedOperation[])[] = [];
  return { saved, watch: new OperationWatch(stored, (watched) => saved.push(watched)) };
}

test("the end of a watched operation produces one notice", () => {
  const { watch: store, saved } = watch();
  let changes = 0;
  const stop = store.subscribe(() => changes++);
  store.toggle(operation("1"));
  assert.equal(store.observe({ id: "1", state: "Updating" }), undefined);
  assert.equal(store.observe({ id: "2", state: "Failed" }), undefined);
  const notice = store.observe({ id: "1", state: "Failed" });
  assert.deepEqual(notice, {
    id: "1",
    title: "Update of demo failed",
    path: `${resourceId}/timeline?operation=1`,
    isFailure: true,
  });
  assert.equal(store.observe({ id: "1", state: "Failed" }), undefined);
  assert.deepEqual(store.snapshot, { watched: [], notices: [notice] });
  assert.deepEqual(saved.at(-1), []);
  assert.equal(changes, 2);
  stop();
  store.dismiss("1");
  assert.deepEqual(store.snapshot.notices, []);
  assert.equal(changes, 2);
});

test("the notice of a deletion has no link, because the cluster has no pages", () => {
  const { watch: store } = watch();
  store.toggle({ ...operation("1"), kind: "Deleting" });
  assert.deepEqual(store.observe({ id: "1", state: "Succeeded" }), {
    ...{ id: "1", title: "Deletion of demo succeeded", isFailure: false },
  });
});

test("a second toggle stops watching", () => {
  const { watch: store } = watch();
  store.toggle(operation("1"));
  store.toggle(operation("1"));
  assert.equal(store.observe({ id: "1", state: "Succeeded" }), undefined);
});

test("watched operations are restored after a reload, and invalid data is ignored", () => {
  const { watch: store } = watch(JSON.stringify([operation("1"), { id: 2 }, null]));
  assert.deepEqual(store.snapshot.watched, [operation("1")]);
  for (const stored of ["{", "7", '"x"', null]) assert.deepEqual(watch(stored).watch.snapshot.watched, []);
});

test("watched operations and notices are limited", () => {
  const { watch: store } = watch();
  for (let id = 0; id < 60; id++) store.toggle(operation(`${id}`));
  assert.equal(store.snapshot.watched.length, 50);
  for (let id = 10; id < 60; id++) store.observe({ id: `${id}`, state: "Succeeded" });
  assert.deepEqual(
    store.snapshot.notices.map(({ id }) => id),
    ["55", "56", "57", "58", "59"],
  );
});
