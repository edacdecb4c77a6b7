import assert from "node:assert/strict";
import { test } from "node:test";
import { Secret, stringAt } from "@keelson/base";
import { preparedCluster } from "@keelson/model/testing";
import { parse } from "yaml";
import type { DevelopmentProxyFiles } from "../install/development-proxy.ts";
import { machineKey } from "../testing/machine-key.ts";
import { offlineContext } from "../testing/offline-context.ts";
import { installObjects } from "./hive-objects.ts";

const signal = AbortSignal.timeout(900_000);
const sshKey = machineKey();
const pullSecret = new Secret('{"auths":{"registry.example":{"auth":"eA=="}}}');

for (const location of ["eastus", "EastUS", "East US"]) {
  test(`a cluster in "${location}" has region eastus in all inputs of installers`, async () => {
    const context = offlineContext({ cluster: { ...preparedCluster(sshKey), location }, signal });
    const release = await context.release();
    const install = { namespace: "n", release, pullSecret, environment: {} };
    const objects = await installObjects(context, install);
    const file = (name: string) =>
      objects.map((each) => stringAt(each, "stringData", name)).find((each) => each !== undefined) ?? "";
    const deployment = objects.find(({ kind }) => kind === "ClusterDeployment");
    assert.deepEqual(
      {
        document: JSON.parse(file("99_aro.json")).location,
        installConfigOfHive: parse(file("install-config.yaml")).platform.azure.region,
        deployment: stringAt(deployment, "spec", "platform", "azure", "region"),
        label: deployment?.metadata.labels?.["hive.openshift.io/cluster-region"],
      },
      {
        document: "eastus",
        installConfigOfHive: "eastus",
        deployment: "eastus",
        label: "eastus",
      },
    );
  });
}

test("an installer in development mode gets the files of the development proxy with the documents", async () => {
  const context = offlineContext({ cluster: preparedCluster(sshKey), signal });
  const install = { namespace: "n", release: await context.release(), pullSecret, environment: {} };
  const secretOf = async (developmentProxy?: DevelopmentProxyFiles) =>
    (await installObjects(context, { ...install, developmentProxy })).find(
      ({ metadata }) => metadata.name === "cluster-service-principal-secret",
    );
  assert.equal((await secretOf())?.data, undefined);
  const found = await secretOf({
    "proxy.crt": new Secret("cHJveHk="),
    "proxy-client.crt": new Secret("Y2xpZW50"),
    "proxy-client.key": new Secret("a2V5"),
  });
  assert.deepEqual(found?.data, {
    "proxy.crt": "cHJveHk=",
    "proxy-client.crt": "Y2xpZW50",
    "proxy-client.key": "a2V5",
  });
  assert.deepEqual(Object.keys(Object(found?.stringData)), [
    "99_aro.json",
    "99_sub.json",
    "osServicePrincipal.json",
  ]);
});
