import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock } from "@keelson/base/testing";
import type { KubeObject } from "@keelson/kube";
import { apiServerState } from "./readiness.ts";

const signal = new AbortController().signal;

function pod(revision: string | undefined, phase = "Running", ready = "True"): KubeObject {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name: "kube-apiserver-master-0",
      ...(revision === undefined ? {} : { labels: { revision } }),
    },
    spec: { nodeName: "master-0" },
    status: { phase, conditions: [{ type: "Ready", status: ready }] },
  };
}

const cases: readonly (readonly [
  name: string,
  pods: readonly KubeObject[] | undefined,
  codes: Readonly<Record<string, number>>,
  reason: string | undefined,
  message?: string,
])[] = [
  ["all is well", [pod("5")], {}, undefined],
  ["pods cannot be listed", undefined, {}, "PodListError"],
  ["no pod", [], {}, "PodNotRunning", "waiting for kube-apiserver static pod for node master-0 to show up"],
  ["two pods", [pod("5"), pod("5")], {}, "PodListError"],
  [
    "the old revision",
    [pod("4")],
    {},
    "UnexpectedRevision",
    "waiting for kube-apiserver static pod kube-apiserver-master-0 of revision 5, found 4",
  ],
  ["no revision", [pod(undefined)], {}, "InvalidPod"],
  ["a revision that is none", [pod("five")], {}, "InvalidPod"],
  ["nobody listens", [pod("5")], { "/healthz/etcd": 0 }, "NetworkError"],
  ["etcd is not well", [pod("5")], { "/healthz/etcd": 500 }, "EtcdUnhealthy"],
  ["it is not well", [pod("5")], { "/healthz": 500 }, "Unhealthy"],
  ["it is not ready", [pod("5")], { "/readyz": 500 }, "NotReady"],
  ["the pod waits", [pod("5", "Pending")], {}, "PodNodReady"],
  ["the kubelet does not call it ready", [pod("5", "Running", "False")], {}, "PodNodReady"],
];

for (const [name, pods, codes, reason, message] of cases)
  test(`the state of an API server that starts: ${name}`, async () => {
    const clock = new ManualClock();
    const asked: string[] = [];
    const state = apiServerState(
      {
        api: {
          list: async () => {
            if (!pods) throw new Error("refused");
            return { items: pods as never, resourceVersion: "1" };
          },
          statusCode: async (path) => {
            asked.push(path);
            return codes[path.split("?")[0] ?? ""] ?? 200;
          },
        },
        namespace: "openshift-kube-apiserver",
        node: "master-0",
        revision: 5,
        clock,
      },
      signal,
    );
    await clock.advance(60_000);
    const found = await state;
    assert.equal(found.ready ? undefined : found.reason, reason);
    if (message !== undefined) assert.equal(found.ready ? undefined : found.message, message);
    if (!reason) assert.equal(asked.filter((path) => path.startsWith("/readyz")).length, 3);
  });
