import assert from "node:assert/strict";
import { test } from "node:test";
import { type Clock, systemClock } from "@keelson/base";
import { KubeError, type KubeList, type KubeObject, resources, type WatchEvent } from "@keelson/kube";
import { untilObject } from "./until-object.ts";

const { signal } = new AbortController();
const object = (name: string): KubeObject => ({ apiVersion: "v1", kind: "Pod", metadata: { name } });
const list = (...names: readonly string[]): KubeList => ({ items: names.map(object), resourceVersion: "1" });
const unavailable = new KubeError(503, "ServiceUnavailable", "wait");
const expired = new KubeError(410, "Expired", "too old");

/** Cluster that returns scripted lists and watches. After the end of the script, the last list is repeated. */
function scripted(lists: readonly (KubeList | Error)[], watches: readonly (WatchEvent | Error)[][] = []) {
  const calls = { lists: 0, watches: 0, pauses: 0 };
  const clock: Clock = {
    ...systemClock,
    async sleep() {
      calls.pauses += 1;
    },
  };
  const kube = {
    async list<T extends KubeObject>() {
      const next = lists[Math.min(calls.lists++, lists.length - 1)];
      if (next instanceof Error || !next) throw next;
      return next as KubeList<T>;
    },
    async *watch<T extends KubeObject>() {
      for (const event of watches[calls.watches++] ?? []) {
        if (event instanceof Error) throw event;
        yield event as WatchEvent<T>;
      }
    },
  };
  return { calls, wait: () => untilObject({ kube, clock }, resources.pods, {}, isWanted, signal) };
}
const isWanted = ({ metadata }: KubeObject) => metadata.name === "wanted";

test("what is there is found at once", async () => {
  const { calls, wait } = scripted([list("other", "wanted")]);
  assert.equal((await wait()).metadata.name, "wanted");
  assert.deepEqual(calls, { lists: 1, watches: 0, pauses: 0 });
});

test("what comes is seen, what goes is not taken for it", async () => {
  const events: WatchEvent[] = [
    { type: "BOOKMARK", resourceVersion: "2", initialEventsEnd: false },
    { type: "DELETED", object: object("wanted") },
    { type: "ADDED", object: object("other") },
    { type: "MODIFIED", object: { ...object("wanted"), status: {} } },
  ];
  const { wait } = scripted([list()], [events]);
  assert.deepEqual((await wait()).status, {});
});

test("a watch that ends or has expired is restarted, and an unavailable server is retried", async () => {
  const { calls, wait } = scripted([list(), list(), unavailable, list("wanted")], [[], [expired]]);
  assert.equal((await wait()).metadata.name, "wanted");
  assert.deepEqual(calls, { lists: 4, watches: 2, pauses: 2 });
});

test("a server that stays away is given up, one that refuses at once", async () => {
  const { calls, wait } = scripted([unavailable]);
  await assert.rejects(wait(), /wait/);
  assert.deepEqual([calls.lists, calls.pauses], [10, 9]);
  const refusing = scripted([new KubeError(403, "Forbidden", "no")]);
  await assert.rejects(refusing.wait(), /no/);
  assert.equal(refusing.calls.lists, 1);
});
