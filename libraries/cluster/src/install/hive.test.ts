import assert from "node:assert/strict";
import { test } from "node:test";
import { Secret } from "@keelson/base";
import type { Hive } from "@keelson/installers";
import { preparedCluster } from "@keelson/model/testing";
import { offlineContext } from "../testing/offline-context.ts";
import { hiveClusterDeploymentReady, hiveDeleteResources, hiveEnsureResources } from "./hive.ts";

const signal = AbortSignal.timeout(900_000);

for (const [name, adoptsClusters, createdByHive, asked, ready] of [
  ["adopts clusters that it has not installed", true, false, 1, false],
  ["adopts clusters that it has installed, and skips the readiness check", true, true, 1, true],
  ["without adoption is not called", false, false, 0, true],
  ["is not called if it is missing", undefined, false, 0, true],
] as const) {
  test(`a Hive ${name}`, async () => {
    const cluster = preparedCluster(new Secret("key"));
    let adopted = 0;
    let forgotten = 0;
    const hive: Hive | undefined =
      adoptsClusters === undefined
        ? undefined
        : {
            adoptsClusters,
            async adopt() {
              adopted += 1;
            },
            async forget() {
              forgotten += 1;
            },
            isReady: async () => false,
            findDeployment: async () => undefined,
          };
    const properties = { ...cluster.properties, hiveProfile: { namespace: "aro-x", createdByHive } };
    const context = offlineContext({ cluster: { ...cluster, properties }, signal });
    const change = hive ? { environment: { ...context.environment, hive } } : {};
    const withHive = offlineContext({ cluster: { ...cluster, properties }, signal, change });
    await hiveEnsureResources(withHive);
    assert.equal(adopted, asked);
    assert.equal(await hiveClusterDeploymentReady(withHive), ready);
    await hiveDeleteResources(withHive);
    assert.equal(forgotten, hive ? 1 : 0);
  });
}
