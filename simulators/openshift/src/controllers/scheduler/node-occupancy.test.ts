import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubeObject } from "@keelson/apiserver";
import type { Change, Informer } from "@keelson/controller";
import { ClusterOccupancy } from "./node-occupancy.ts";

const pod = (name: string, nodeName: string, phase = "Running"): KubeObject => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: {
    name,
    uid: name,
    ownerReferences: [{ apiVersion: "apps/v1", kind: "ReplicaSet", name: "set", uid: "set" }],
  },
  spec: {
    nodeName,
    containers: [{ resources: { requests: { cpu: "100m" } }, ports: [{ hostPort: 80 }] }],
  },
  status: { phase },
});

test("the occupancy of a node follows created, bound, finished and deleted pods", () => {
  let report: (change: Change) => void = () => undefined;
  const informer: Pick<Informer, "subscribe"> = {
    subscribe(subscriber) {
      report = subscriber;
      return { [Symbol.dispose]: () => undefined };
    },
  };
  const occupancy = new ClusterOccupancy(informer);
  const shown = () => {
    const node = occupancy.of("a");
    return [node.pods, node.siblings("set"), node.requested("cpu"), node.uses("80/TCP")];
  };
  const nothing = [0, 0, 0, false];
  assert.deepEqual(shown(), nothing);
  report({ type: "created", object: pod("x", ""), initial: false });
  assert.deepEqual(shown(), nothing);
  {
    using _binding = occupancy.bind(pod("x", "a"));
    assert.deepEqual(shown(), [1, 1, 0.1, true]);
    assert.equal([...occupancy.binding("a")].length, 1);
    report({ type: "updated", object: pod("x", "a"), before: pod("x", ""), initial: false });
  }
  assert.deepEqual(shown(), [1, 1, 0.1, true]);
  assert.equal([...occupancy.binding("a")].length, 0);
  report({ type: "updated", object: pod("x", "a", "Succeeded"), before: pod("x", "a"), initial: false });
  assert.deepEqual(shown(), nothing);
  report({ type: "created", object: pod("y", "a"), initial: true });
  report({ type: "deleted", object: pod("y", "a"), before: pod("y", "a"), initial: false });
  assert.deepEqual(shown(), nothing);
});
