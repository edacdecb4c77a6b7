import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubeObject } from "@keelson/kube";
import { pathsOverlap, pathText } from "@keelson/operator-kit";
import fc from "fast-check";
import { observe } from "../testing/observe.ts";
import { configObservers } from "./observers.ts";

const observers = configObservers("4.19.0");

test("each path has one observer", () => {
  const paths = observers.flatMap(({ name, paths: own }) => own.map((path) => ({ name, path })));
  for (const [index, one] of paths.entries())
    for (const other of paths.slice(index + 1))
      assert.ok(
        !pathsOverlap(one.path, other.path),
        `${one.name} and ${other.name} both have ${pathText(one.path)}`,
      );
  assert.equal(new Set(observers.map(({ name }) => name)).size, observers.length);
});

const value = fc.jsonValue({ maxDepth: 3 });
const keys = [
  ...[
    "APIServer",
    "Infrastructure",
    "Authentication",
    "Network",
    "FeatureGate",
    "Proxy",
    "Image",
    "Scheduler",
    "Node",
  ].map((kind) => ({ kind, metadata: { name: "cluster" } })),
  { kind: "KubeAPIServer", metadata: { name: "cluster" } },
  { kind: "ConfigMap", metadata: { namespace: "openshift-etcd", name: "etcd-endpoints" } },
  { kind: "Endpoints", metadata: { namespace: "kube-system", name: "host-etcd" } },
  { kind: "ConfigMap", metadata: { namespace: "kube-system", name: "cluster-config-v1" } },
  { kind: "Secret", metadata: { namespace: "openshift-kube-apiserver", name: "encryption-config" } },
];
const hostile = fc
  .tuple(fc.constantFrom(...keys), fc.record({ spec: value, status: value, data: value, subsets: value }))
  .map(([key, content]): KubeObject => ({ apiVersion: "v1", ...key, ...content }) as KubeObject);

test("objects of any form are observed or rejected deterministically", () => {
  fc.assert(
    fc.property(fc.array(hostile, { maxLength: 6 }), (objects) => {
      for (const observer of observers) {
        const observed = observe(observer, objects);
        assert.deepEqual(observe(observer, objects), observed);
        for (const message of observed.errors)
          assert.ok(
            !/Cannot read|is not a function|not iterable|more than its paths/.test(message),
            `${observer.name}: ${message}`,
          );
      }
    }),
    { numRuns: 200 },
  );
});
