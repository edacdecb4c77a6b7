/** Tests all commands of a cluster owner with unmodified `az`. Its only configuration is the output of `keelson az-env`. */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { type Az, type AzVersion, azVersions } from "./support/az.ts";
import type { AzWorld } from "./support/az-world.ts";
import { withBothReleases } from "./support/both-releases.ts";
import { commentedTemplate } from "./support/commented-template.ts";

const root = new URL("../../..", import.meta.url).pathname;

withBothReleases("az", [], lifeOf);

function lifeOf(version: AzVersion, world: () => AzWorld): void {
  const isNewest = version === azVersions.newest;
  const group = `owner-${version}`;
  const inGroup = ["--resource-group", group];
  const subnet = (name: string, prefix: string) =>
    az.json(
      ...["network", "vnet", "subnet", "create", ...inGroup, "--vnet-name", "net"],
      ...["--name", name, "--address-prefixes", prefix],
    );
  const [ofCluster, network] = [
    [...inGroup, "--name", "one"],
    ["--vnet", "net"],
  ];
  let az: Az;
  let scope: string;
  /** Output of `az ad sp create-for-rbac`. */
  let application: { readonly appId: string; readonly password: string; readonly tenant: string };
  let managedGroup: string;

  test("signs in, and sees the subscription", async () => {
    const { endpoints } = world();
    az = world().az(version, version);
    scope = `/subscriptions/${endpoints.subscriptionId}/resourceGroups/${group}`;
    const accounts = await az.signIn(endpoints);
    assert.deepEqual(
      accounts.map(({ id }) => id),
      [endpoints.subscriptionId],
    );
  });

  test("makes a group, again, shows it", async () => {
    const create = ["group", "create", "--name", group, "--location", "eastus", "--tags", "a=b"];
    for (let i = 0; i < 2; i++) {
      const made = await az.json(...create);
      assert.deepEqual([made.id, made.properties.provisioningState], [scope, "Succeeded"]);
    }
    const shown = await az.json("group", "show", "--name", group);
    assert.deepEqual([shown.location, shown.tags], ["eastus", { a: "b" }]);
    assert.equal(await az.json("group", "exists", "--name", group), true);
    assert.equal(await az.json("group", "exists", "--name", "nobody"), false);
    const missing = await az.run("group", "show", "--name", "nobody");
    assert.equal(missing.code, 3);
    assert.match(missing.stderr, /\(ResourceGroupNotFound\) Resource group 'nobody' could not be found\./);
  });

  test("makes a network with its subnets", async () => {
    const made = await az.json(
      ...["network", "vnet", "create", ...inGroup, "--name", "net", "--address-prefixes", "10.0.0.0/16"],
    );
    assert.equal(made.newVNet.provisioningState, "Succeeded");
    const subnets = isNewest ? ["master", "worker", "master2", "worker2"] : ["master", "worker"];
    for (const [i, name] of subnets.entries()) {
      const { provisioningState } = await subnet(name, `10.0.${i * 2}.0/23`);
      assert.equal(provisioningState, "Succeeded");
    }
    const shown = await az.json("network", "vnet", "show", ...inGroup, "--name", "net");
    const states = shown.subnets.map((each: { name: string; provisioningState: string }) => [
      each.name,
      each.provisioningState,
    ]);
    assert.deepEqual(
      states,
      subnets.map((name) => [name, "Succeeded"]),
    );
  });

  test("makes an identity", async () => {
    const made = await az.json("identity", "create", ...inGroup, "--name", "someone");
    assert.match(made.principalId, /^[0-9a-f-]{36}$/);
    assert.match(made.clientId, /^[0-9a-f-]{36}$/);
  });

  test("creates an application with a role, which signs in, and a second role", async () => {
    application = await az.json(
      ...["ad", "sp", "create-for-rbac", "--name", `sp-${version}`],
      ...["--role", "Contributor", "--scopes", scope],
    );
    const { appId, password, tenant } = application;
    const other = world().az(version, `sp-${version}`);
    const accounts = await other.signIn({ clientId: appId, clientSecret: password, tenantId: tenant });
    assert.equal(accounts.length, 1);
    await az.json("role", "assignment", "create", "--assignee", appId, "--role", "Reader", "--scope", scope);
    const listed = await az.json("role", "assignment", "list", "--scope", scope);
    const roles = listed.map((each: Record<string, string>) => [
      each.principalName,
      each.roleDefinitionName,
      each.scope,
    ]);
    for (const role of ["Contributor", "Reader"]) {
      assert.ok(
        roles.some((each: unknown[]) => `${each}` === `${[appId, role, scope]}`),
        JSON.stringify(roles),
      );
    }
  });

  test("creates a role, changes it, and deletes it with its assignment", async () => {
    const { subscriptionId } = world().endpoints;
    const role = (Description: string) =>
      JSON.stringify({
        ...{ Name: `Looks ${version}`, Description, NotActions: [] },
        ...{ Actions: ["*/read"], AssignableScopes: [`/subscriptions/${subscriptionId}`] },
      });
    await az.text("role", "definition", "create", "--role-definition", role("first"));
    const changed = await az.json("role", "definition", "update", "--role-definition", role("second"));
    assert.equal(changed.description, "second");
    const assigned = ["--assignee", application.appId, "--role", `Looks ${version}`, "--scope", scope];
    await az.text("role", "assignment", "create", ...assigned);
    await az.text("role", "assignment", "delete", ...assigned);
    await az.text("role", "definition", "delete", "--name", `Looks ${version}`);
    assert.deepEqual(await az.json("role", "definition", "list", "--name", `Looks ${version}`), []);
  });

  test("previews and deploys a template with comments", async () => {
    const file = world().state.file(`template-${version}.json`);
    writeFileSync(file, commentedTemplate);
    const template = [...inGroup, "--template-file", file];
    const foretold = await az.json("deployment", "group", "what-if", ...template, "--no-pretty-print");
    const changes = foretold.changes.filter((each: { changeType: string }) => each.changeType !== "Ignore");
    assert.deepEqual(
      changes.map((each: { resourceId: string; changeType: string }) => [
        each.changeType,
        each.resourceId.split("/").at(-1),
      ]),
      [["Create", "deployed"]],
    );
    const { properties } = await az.json(
      ...["deployment", "group", "create", ...template, "--parameters", "subnets=3"],
    );
    assert.equal(properties.provisioningState, "Succeeded");
    const shown = await az.json("network", "vnet", "show", "--ids", properties.outputs.id.value);
    assert.deepEqual(
      shown.subnets.map((each: { addressPrefix: string }) => each.addressPrefix),
      ["10.9.0.0/24", "10.9.1.0/24", "10.9.2.0/24"],
    );
  });

  test("previews and deploys a template of the service", async () => {
    const template = [...inGroup, "--template-file", `${root}deploy/rp-production-managed-identity.json`];
    const foretold = await az.json("deployment", "group", "what-if", ...template, "--no-pretty-print");
    const created = foretold.changes.filter((each: { changeType: string }) => each.changeType === "Create");
    assert.match(created[0].resourceId, /\/userAssignedIdentities\/aro-rp-eastus$/);
    const { properties } = await az.json("deployment", "group", "create", ...template);
    assert.deepEqual(
      properties.outputResources.map((each: { id: string }) => each.id),
      [created[0].resourceId],
    );
    await az.text("identity", "delete", "--ids", created[0].resourceId);
  });

  test("creates a cluster", async () => {
    const given = ["--client-id", application.appId, "--client-secret", application.password];
    const made = await az.json(
      ...[
        "aro",
        "create",
        ...ofCluster,
        ...network,
        "--master-subnet",
        "master",
        "--worker-subnet",
        "worker",
      ],
      // With the older release, the command line names no application, so `az` creates one.
      ...(isNewest ? given : []),
    );
    assert.equal(made.provisioningState, "Succeeded");
    assert.equal(made.servicePrincipalProfile.clientSecret ?? null, null);
    assert.equal(made.workerProfiles.length, 1);
    managedGroup = made.clusterProfile.resourceGroupId.split("/").at(-1);
  });

  test("shows it and hands out its credentials", async () => {
    const listed = await az.json("aro", "list", ...inGroup);
    assert.deepEqual(
      listed.map((each: { name: string }) => each.name),
      ["one"],
    );
    const shown = await az.json("aro", "show", ...ofCluster);
    assert.match(shown.apiserverProfile.url, /^https:\/\/api\./);
    assert.match(await az.text("aro", "show", ...ofCluster, "-o", "table"), /^one .* Succeeded .* https:/m);
    const credentials = await az.json("aro", "list-credentials", ...ofCluster);
    assert.equal(credentials.kubeadminUsername, "kubeadmin");
    assert.match(credentials.kubeadminPassword, /^(\w{5}-){3}\w{5}$/);
    const file = world().state.file(`kubeconfig-${version}`);
    await az.text("aro", "get-admin-kubeconfig", ...ofCluster, "--file", file);
    assert.match(readFileSync(file, "utf8"), /server: https:\/\/\S+/);
    const versions = await az.json("aro", "get-versions", "--location", "eastus");
    assert.deepEqual(versions, ["4.18.26", "4.19.24"]);
  });

  test("has the cluster's resources in its own group", async () => {
    const ofGroup = ["--resource-group", managedGroup];
    const resources = await az.json("resource", "list", ...ofGroup);
    const types = new Set(resources.map((each: { type: string }) => each.type));
    for (const type of [
      "Compute/virtualMachines",
      "Network/loadBalancers",
      "Network/networkSecurityGroups",
    ]) {
      assert.ok(types.has(`Microsoft.${type}`), [...types].join(" "));
    }
    const machines = await az.json("vm", "list", ...ofGroup);
    assert.equal(machines.length, 6);
    const balancers = await az.json("network", "lb", "list", ...ofGroup);
    assert.equal(balancers.length, 2);
    const nsg = resources.find(
      (each: { type: string }) => each.type === "Microsoft.Network/networkSecurityGroups",
    );
    const shown = await az.json("network", "nsg", "show", ...ofGroup, "--name", nsg.name);
    assert.equal(shown.provisioningState, "Succeeded");
    const clusters = await az.json(
      ...[
        "rest",
        "--url",
        `${scope}/providers/Microsoft.RedHatOpenShift/openShiftClusters?api-version=2025-07-25`,
      ],
    );
    assert.equal(clusters.value[0].properties.provisioningState, "Succeeded");
  });

  test("updates it, and replaces the secret of its application", async () => {
    const updated = await az.json("aro", "update", ...ofCluster);
    assert.equal(updated.provisioningState, "Succeeded");
    const refreshed = await az.json("aro", "update", ...ofCluster, "--refresh-credentials");
    assert.equal(refreshed.provisioningState, "Succeeded");
    const applications = await az.json(
      "ad",
      "app",
      "list",
      "--app-id",
      refreshed.servicePrincipalProfile.clientId,
    );
    assert.equal(applications[0].passwordCredentials.length, 2);
  });

  test("deletes it, once", async () => {
    assert.equal(await az.text("aro", "delete", ...ofCluster, "--yes"), "");
    for (const words of [["show"], ["delete", "--yes"]]) {
      const { code, stderr } = await az.run("aro", ...words, ...ofCluster);
      assert.equal(code, 3);
      assert.match(
        stderr,
        new RegExp(
          `\\(ResourceNotFound\\) The Resource 'Microsoft.RedHatOpenShift/OpenShiftClusters/one' under resource group '${group}' was not found\\.`,
        ),
      );
    }
    assert.equal(await az.json("group", "exists", "--name", managedGroup), false);
  });

  if (isNewest) {
    test("lists and creates the identities that a cluster requires, and validates its parameters", async () => {
      const subnets = [...network, "--master-subnet", "master2", "--worker-subnet", "worker2"];
      const required = [...inGroup, ...subnets, "--location", "eastus", "--version", "4.18.26"];
      const listed = await az.run("aro", "identity", "get-required", ...required);
      assert.equal(listed.code, 0, listed.stderr);
      assert.equal(listed.stderr.match(/az identity create /g)?.length, 9);
      assert.equal(listed.stderr.match(/az role assignment create /g)?.length, 20);
      const created: readonly { readonly id: string }[] = await az.json(
        ...["aro", "identity", "create-required", ...required, "--yes"],
      );
      assert.equal(created.length, 9);
      const validate = ["aro", "validate", ...inGroup, "--name", "two", ...subnets, "--version"];
      assert.deepEqual(await az.run(...validate, "4.18.26"), { code: 0, stdout: "", stderr: "" });
      const refused = await az.run(...validate, "4.1.1");
      assert.equal(refused.code, 1);
      assert.match(refused.stderr, /4\.1\.1/);
      await az.text("identity", "delete", "--ids", ...created.map(({ id }) => id));
    });

    test("creates a cluster with managed identities, and deletes it with them", async () => {
      const cluster = [...inGroup, "--name", "two"];
      const made = await az.json(
        ...[
          "aro",
          "create",
          ...cluster,
          ...network,
          "--master-subnet",
          "master2",
          "--worker-subnet",
          "worker2",
        ],
        ...["--enable-managed-identity", "--version", "4.18.26"],
      );
      assert.equal(made.clusterProfile.version, "4.18.26");
      const operators = Object.keys(made.platformWorkloadIdentityProfile.platformWorkloadIdentities);
      const identities = async () => {
        const listed = await az.json("identity", "list", ...inGroup);
        return listed.map((each: { name: string }) => each.name).sort();
      };
      assert.deepEqual(await identities(), [...operators, "aro-cluster", "someone"].sort());
      assert.equal(operators.length, 8);
      await az.text("aro", "delete", ...cluster, "--delete-identities", "true", "--yes");
      assert.deepEqual(await identities(), ["someone"]);
    });

    test("stores secrets in a key vault by the vault's host name", async () => {
      const ofSecret = ["--vault-name", "keelson-az", "--name", "word"];
      const kept = await az.json("keyvault", "secret", "set", ...ofSecret, "--value", "xyzzy");
      assert.match(kept.id, /^https:\/\/keelson-az\.vault\.azure\.net\/secrets\/word\/\w+$/);
      assert.equal((await az.json("keyvault", "secret", "show", ...ofSecret)).value, "xyzzy");
    });
  }

  test("deletes the group", async () => {
    await az.text("group", "delete", "--name", group, "--yes");
    assert.equal(await az.json("group", "exists", "--name", group), false);
  });
}
