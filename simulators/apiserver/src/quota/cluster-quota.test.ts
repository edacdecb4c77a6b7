import assert from "node:assert/strict";
import { test } from "node:test";
import { type ClusterQuotaStatus, withComputedStatus } from "./cluster-quota.ts";

const hard = { pods: "9" };
const usage = (pods: string) => ({ hard, used: { pods } });

function quota(revision: string, pods: string, namespaces: readonly string[] = ["a"]) {
  return {
    apiVersion: "quota.openshift.io/v1",
    kind: "ClusterResourceQuota",
    metadata: { name: "q", resourceVersion: revision },
    spec: { quota: { hard } },
    status: {
      total: usage(pods),
      namespaces: namespaces.map((namespace) => ({ namespace, status: usage(pods) })),
    },
  };
}

const computed: ClusterQuotaStatus = {
  total: usage("3"),
  namespaces: [{ namespace: "a", status: usage("3") }],
};

test("the computed status of an unchanged quota replaces its status", () => {
  const before = quota("1", "5");
  assert.deepEqual(withComputedStatus(before, before, computed)?.status, computed);
});

test("usage that writes have added during the computation is added to the computed status", () => {
  const changed = withComputedStatus(quota("2", "7"), quota("1", "5"), computed);
  assert.deepEqual(changed?.status, {
    total: usage("5"),
    namespaces: [{ namespace: "a", status: usage("5") }],
  });
});

test("a computed status does not apply to other limits or to a namespace that was not listed", () => {
  const before = quota("1", "5");
  const limited = { ...quota("2", "5"), spec: { quota: { hard: { pods: "8" } } } };
  assert.equal(withComputedStatus(limited, before, computed), undefined);
  assert.equal(withComputedStatus(quota("2", "6"), quota("1", "5", []), computed), undefined);
});
