import assert from "node:assert/strict";
import { test } from "node:test";
import { Secret } from "@keelson/base";
import type { Hive } from "@keelson/installers";
import { preparedCluster } from "@keelson/model/testing";
import { offlineContext } from "../../testing/offline-context.ts";
import { hiveClusterDeploymentReady, hiveDeleteResources, hiveEnsureResources } from "./hive.ts";

const signal = AbortSignal.timeout(900_000);

for (const [name, adoptsClusters, createdByHive, asked, ready] of [
  ["is told of clusters that others have installed", true, false, 1, false],
  ["is told of those that it has installed, and not asked whether it reaches them", true, true, 1, true],
  ["that adopts none is asked nothing", false, false, 0, true],
  ["that is not there is asked nothing", undefined, false, 0, true],
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
