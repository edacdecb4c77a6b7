import assert from "node:assert/strict";
import { test } from "node:test";
import {
  clientId,
  clusterUrl,
  identityBody,
  installedCluster,
  subscriptionId,
  versionNamed,
} from "../testing/test-cluster.ts";
import { clusterKeys } from "./cluster-keys.ts";

const version = versionNamed("2025-07-25");

test("a service principal cluster is keyed by its client ID", () => {
  const cluster = installedCluster(version);
  assert.deepEqual(clusterKeys(cluster), {
    key: clusterUrl.id.toLowerCase(),
    clusterResourceGroupIdKey: `/subscriptions/${subscriptionId}/resourcegroups/aro-cluster`,
    clientIdKey: clientId.toLowerCase(),
  });
});

test("a cluster with identities is keyed by its own, in lower case", () => {
  const { clientIdKey } = clusterKeys(installedCluster(version, identityBody(version)));
  assert.match(clientIdKey, /\/resourcegroups\/ids\/.*\/userassignedidentities\/cluster$/);
});
