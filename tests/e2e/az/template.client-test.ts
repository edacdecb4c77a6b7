/** Deploys a template with network, identities, role assignments and cluster several times with unmodified `az`. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { azVersions } from "./support/az.ts";
import { AzWorld } from "./support/az-world.ts";

const template = new URL("../../../examples/cluster-template-identities.json", import.meta.url).pathname;

test("a template is deployed three times without a change, and refused with one", {
  timeout: 1_100_000,
}, async () => {
  await using world = await AzWorld.start("--operators", "none");
  const az = world.az(azVersions.newest, "template");
  await az.signIn(world.endpoints);
  await az.text("group", "create", "--name", "deployed", "--location", "eastus");
  const [provider] = await az.json("ad", "sp", "list", "--display-name", "Azure Red Hat OpenShift RP");
  const parameters = ["--parameters", "clusterName=three", `providerObjectId=${provider.id}`];
  const given = ["--resource-group", "deployed", "--template-file", template, ...parameters];
  const changed = async (...more: string[]) => {
    const { changes } = await az.json(
      "deployment",
      "group",
      "what-if",
      ...given,
      ...more,
      "--no-pretty-print",
    );
    const written: readonly { changeType: string; resourceId: string }[] = changes;
    return written.flatMap(({ changeType, resourceId }) =>
      changeType === "NoChange" ? [] : [`${changeType} ${resourceId.split("/").at(-1)}`],
    );
  };
  const deploy = async (...more: string[]) => {
    const { properties } = await az.json("deployment", "group", "create", ...given, ...more);
    assert.equal(properties.provisioningState, "Succeeded");
    assert.match(properties.outputs.consoleUrl.value, /^https:\/\/console-openshift-console\.apps\.three\./);
  };
  const cluster = () => az.json("aro", "show", "--resource-group", "deployed", "--name", "three");

  assert.equal((await changed()).length, 28);
  await deploy();
  const created = await cluster();
  for (let again = 0; again < 2; again++) {
    // The deployment reports these changes because Azure added properties that the template lacks: the network security groups,
    // the cluster version and the router address.
    assert.deepEqual(await changed(), ["Modify three-vnet", "Modify three"]);
    await deploy();
    const { systemData: _, ...same } = await cluster();
    const { systemData: __, ...before } = created;
    assert.deepEqual(same, before);
  }
  const refused = await az.run("deployment", "group", "create", ...given, "workerCount=4");
  assert.match(refused.stderr, /PropertyChangeNotAllowed: properties\.workerProfiles\['worker'\]\.count/);
  const subnet = ["--resource-group", "deployed", "--vnet-name", "three-vnet", "--name", "master"];
  const { networkSecurityGroup } = await az.json("network", "vnet", "subnet", "show", ...subnet);
  assert.match(networkSecurityGroup.id, /\/three-\w+-nsg$/);
});
