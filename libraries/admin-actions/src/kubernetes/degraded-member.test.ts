import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubeObject } from "@keelson/kube";
import { findDegradedMember, findPeer } from "./degraded-member.ts";
import { memberId } from "./recover-etcd.ts";
import { isRevised } from "./renew-etcd-certificates.ts";

const node = (index: number) => `demo-x7k2p-master-${index}`;

/**
 * Returns an etcd pod with the address 10.0.0.{index}. `createdWith` is the address that the pod had at its creation, which the
 * pod's environment variable contains.
 */
function pod(index: number, { ready = true, createdWith = `10.0.0.${index}` } = {}): KubeObject {
  const env = [{ name: `NODE_demo_x7k2p_master_${index}_IP`, value: createdWith }];
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: `etcd-${node(index)}`, namespace: "openshift-etcd" },
    spec: { nodeName: node(index), containers: [{ name: "etcdctl" }, { name: "etcd", env }] },
    status: { podIPs: [{ ip: `10.0.0.${index}` }], containerStatuses: [{ name: "etcd", ready }] },
  };
}
const lost = { ready: false };
const moved = { createdWith: "10.0.0.99" };

test("the only failing member is found", () => {
  const first = { node: node(0), pod: `etcd-${node(0)}` };
  assert.deepEqual(findDegradedMember([pod(0, lost), pod(1), pod(2)]), first);
  assert.deepEqual(findDegradedMember([pod(0, { ...lost, ...moved }), pod(1), pod(2)]), first);
  assert.deepEqual(findDegradedMember([pod(0, { ...lost, createdWith: "" }), pod(1), pod(2)]), first);
  assert.equal(findPeer([pod(0, lost), pod(1), pod(2)], first), `etcd-${node(1)}`);
});

test("what cannot be recovered in this way is refused", () => {
  const rows: readonly (readonly [readonly KubeObject[], RegExp])[] = [
    [[pod(0), pod(1), pod(2)], /^CloudError: no etcd pod is failing/],
    [[pod(0, lost), pod(1, lost), pod(2)], /only one degraded etcd .* not ready: etcd-.*-0, etcd-.*-1$/],
    [
      [pod(0, moved), pod(1, moved), pod(2)],
      /only one degraded etcd .* other addresses than before: .*-0, .*-1$/,
    ],
    [
      [pod(0, lost), pod(1, moved), pod(2)],
      /-master-0 is not ready, but etcd-.*-master-1 has a different address/,
    ],
    [[pod(0, moved), pod(1), pod(2)], /no etcd pod is failing/],
    [[], /no etcd pod is failing/],
  ];
  for (const [pods, message] of rows) assert.throws(() => findDegradedMember(pods), message);
  assert.throws(
    () => findPeer([pod(0, lost)], { node: node(0), pod: `etcd-${node(0)}` }),
    /no other etcd pod/,
  );
});

test("members are found by name, and their ID is a string because it exceeds a number", () => {
  const list = JSON.stringify({
    members: [
      { ID: "ffffffffffffffff", name: "a" },
      { ID: 7, name: "b" },
    ],
  });
  assert.equal(memberId(list, "a"), "ffffffffffffffff");
  assert.equal(memberId(list, "c"), undefined);
  assert.throws(() => memberId(list, "b"), /no hexadecimal ID/);
  assert.throws(() => memberId("Error: context deadline exceeded", "a"), /no JSON/);
});

test("etcd is revised when all nodes run a revision that is newer", () => {
  const etcd = (latest: number, ...current: readonly number[]): KubeObject => ({
    apiVersion: "operator.openshift.io/v1",
    kind: "Etcd",
    metadata: { name: "cluster" },
    status: {
      latestAvailableRevision: latest,
      nodeStatuses: current.map((currentRevision) => ({ currentRevision })),
    },
  });
  assert.equal(isRevised(etcd(3, 3, 3, 3), 3), false);
  assert.equal(isRevised(etcd(4, 4, 3, 3), 3), false);
  assert.equal(isRevised(etcd(4, 4, 4, 4), 3), true);
});
