import assert from "node:assert/strict";
import { test } from "node:test";
import type { FaultableRequest } from "@keelson/apiserver";
import { systemClock } from "@keelson/base";
import { parseFault } from "./fault.ts";
import { FaultRegistry } from "./fault-registry.ts";
import { imageFault } from "./image-faults.ts";
import { apiFaultsOf } from "./request-faults.ts";

const request: FaultableRequest = {
  verb: "list",
  group: "",
  resource: "pods",
  subresource: "",
  namespace: "default",
  name: "",
  resourceVersion: "",
  user: "kube:admin",
};

/** Returns the effect of a fault on a request to the API server. */
function effectOf(fault: object, asked: Partial<FaultableRequest> = {}, random = 0) {
  const registry = new FaultRegistry(systemClock);
  registry.set(parseFault(fault));
  return apiFaultsOf(registry.ofCluster("demo-x7k2p"), () => random)?.forRequest({ ...request, ...asked });
}

const error = (parameters: object) => ({ kind: "api-error", parameters });

const rows: readonly {
  readonly name: string;
  readonly fault: object;
  readonly request?: Partial<FaultableRequest>;
  readonly random?: number;
  readonly expected: object | undefined;
}[] = [
  { name: "any request", fault: error({}), expected: { error: { code: 500, reason: "InternalError" } } },
  { name: "a different verb is not affected", fault: error({ verb: "get" }), expected: undefined },
  {
    name: "verb and resource",
    fault: error({ verb: "list", resource: "pods", code: 429 }),
    expected: { error: { code: 429, reason: "TooManyRequests" } },
  },
  { name: "the core group", fault: error({ group: "core" }), expected: { error: { code: 500 } } },
  { name: "a different group is not affected", fault: error({ group: "apps" }), expected: undefined },
  {
    name: "a subresource",
    fault: error({ resource: "pods/eviction" }),
    request: { subresource: "eviction", verb: "create" },
    expected: { error: { code: 500 } },
  },
  { name: "half of them, this one", fault: error({ percent: 50 }), random: 0.49, expected: { error: {} } },
  { name: "half of them, not this one", fault: error({ percent: 50 }), random: 0.5, expected: undefined },
  { name: "slow", fault: { kind: "api-slow", parameters: { delayMs: "250" } }, expected: { delayMs: 250 } },
  {
    name: "a request of a different cluster",
    fault: { ...error({}), cluster: "other" },
    expected: undefined,
  },
  { name: "of this cluster by name", fault: { ...error({}), cluster: "demo" }, expected: { error: {} } },
  {
    name: "a write to a full disk",
    fault: { kind: "disk-full" },
    request: { verb: "create" },
    expected: { error: { message: "etcdserver: mvcc: database space exceeded" } },
  },
  { name: "a read from a full disk is spared", fault: { kind: "disk-full" }, expected: undefined },
  {
    name: "a watch that resumes from a resourceVersion",
    fault: { kind: "watch-expired" },
    request: { verb: "watch", resourceVersion: "7" },
    expected: { error: { code: 410, reason: "Expired" } },
  },
  {
    name: "a watch from the beginning is not affected",
    fault: { kind: "watch-expired" },
    request: { verb: "watch" },
    expected: undefined,
  },
  {
    name: "a watch that is cut",
    fault: { kind: "watch-drop", parameters: { afterMs: 20 } },
    request: { verb: "watch" },
    expected: { cutAfterMs: 20 },
  },
];

for (const row of rows)
  test(`faults of the API: ${row.name}`, () => {
    const found = effectOf(row.fault, row.request, row.random);
    if (row.expected === undefined) assert.equal(found, undefined);
    else assert.partialDeepStrictEqual(found, row.expected);
  });

test("checks of the API server's health fail as asked, its storage's when none is named", () => {
  const registry = new FaultRegistry(systemClock);
  const failed = () => apiFaultsOf(registry.ofCluster("demo-x7k2p"))?.failedChecks;
  registry.set(parseFault({ kind: "api-unhealthy" }));
  assert.deepEqual(failed(), new Set(["etcd"]));
  registry.set(parseFault({ kind: "api-unhealthy", parameters: { check: "ping" } }));
  assert.deepEqual(failed(), new Set(["etcd", "ping"]));
});

test("requests are not inspected without faults", () => {
  const registry = new FaultRegistry(systemClock);
  assert.equal(apiFaultsOf(registry.ofCluster("demo-x7k2p")), undefined);
  const { id } = registry.set(parseFault({ kind: "clock-skew", parameters: { skewMs: -500 } }));
  assert.equal(apiFaultsOf(registry.ofCluster("demo-x7k2p"))?.clockSkewMs, -500);
  assert.deepEqual(
    registry.clear(id).map((fault) => fault.id),
    [id],
  );
  assert.deepEqual(registry.clear(id), []);
});

const wrong: readonly [value: unknown, says: RegExp][] = [
  ["api-error", /a fault is a JSON object/],
  [{ kind: "nonsense" }, /unknown kind "nonsense"/],
  [{ kind: "toString" }, /unknown kind/],
  [{ kind: "api-error", when: "now" }, /unknown field "when"/],
  [error({ speed: 1 }), /api-error has no parameter "speed"/],
  [error({ percent: 0 }), /percent must be above 0/],
  [error({ code: 200 }), /code must be a whole number from 400 to 599/],
  [error({ verb: 7 }), /verb must be a string/],
  [{ kind: "api-slow", parameters: { delayMs: -1 } }, /delayMs must not be negative/],
  [{ kind: "operator-degraded" }, /needs the parameter operator/],
];

for (const [value, says] of wrong)
  test(`rejects the fault ${JSON.stringify(value)}`, () => {
    assert.throws(() => parseFault(value), says);
  });

test("imports of images that match a pattern fail or wait", () => {
  const registry = new FaultRegistry(systemClock);
  const faults = registry.ofCluster("demo-x7k2p");
  assert.equal(imageFault(faults, "quay.io/a/b:1"), undefined);
  registry.set(parseFault({ kind: "image-import", parameters: { image: "quay.io/a/*", code: 404 } }));
  assert.deepEqual(imageFault(faults, "quay.io/a/b:1")?.error?.code, 404);
  assert.equal(imageFault(faults, "quay.io/b/a:1"), undefined);
  registry.set(parseFault({ kind: "image-import", parameters: { delayMs: 40 } }));
  assert.deepEqual(imageFault(faults, "docker.io/x"), { delayMs: 40 });
});
