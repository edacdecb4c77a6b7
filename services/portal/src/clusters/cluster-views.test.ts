import assert from "node:assert/strict";
import { test } from "node:test";
import { newCluster } from "@keelson/cluster/testing";
import { type ClusterProperties, clusterKeys, withProperties } from "@keelson/model";
import { type ClusterHealth, clusterDetailSchema } from "@keelson/portal-api";
import { Value } from "typebox/value";
import { clusterDetail } from "./cluster-views.ts";

const health: ClusterHealth = { state: "Unknown", reason: "NotObserved", problems: [] };

function detailOf(properties: Partial<ClusterProperties>, isSimulated = false) {
  const openShiftCluster = {
    ...withProperties(
      newCluster({
        name: "demo",
        subscriptionId: "33333333-3333-4333-8333-333333333333",
        state: "Succeeded",
      }),
      properties,
    ),
    tags: { team: "payments" },
    systemData: { createdBy: "ada@example.com", lastModifiedBy: "bob@example.com" },
  };
  const document = {
    ...clusterKeys(openShiftCluster),
    id: "1",
    partitionKey: "s",
    bucket: 0,
    openShiftCluster,
  };
  return clusterDetail(document, { exceeded: [], health, isSimulated });
}

test("the details contain the cluster's creator, build, tags and configuration", () => {
  const detail = detailOf({ createdBy: "build-1" });
  assert.deepEqual([...Value.Errors(clusterDetailSchema, detail)], []);
  const { creator, createdBy, lastModifiedBy, tags } = detail;
  assert.deepEqual(
    { creator, createdBy, lastModifiedBy, tags },
    {
      creator: "ada@example.com",
      createdBy: "build-1",
      lastModifiedBy: "bob@example.com",
      tags: { team: "payments" },
    },
  );
  assert.match(detail.managedResourceGroup, /^\/subscriptions\//);
});

test("a console with a private ingress, and that of a simulated cluster, cannot be reached", () => {
  const ingress = (visibility: "Public" | "Private") => ({
    ingressProfiles: [{ name: "default", visibility }],
  });
  assert.equal(detailOf(ingress("Public")).consoleReachable, true);
  assert.equal(detailOf(ingress("Private")).consoleReachable, false);
  assert.equal(detailOf(ingress("Public"), true).consoleReachable, false);
});
