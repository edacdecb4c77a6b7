import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, test } from "node:test";
import { CloudError } from "@keelson/arm";
import { isAuthorizationPropagation } from "@keelson/azure";
import { type Clock, Secret } from "@keelson/base";
import { ManualClock } from "@keelson/base/testing";
import type { OpenShiftCluster, RoleSetProperties } from "@keelson/model";
import { newCluster, testRoleSets, withIdentities } from "@keelson/model/testing";
import type { ClusterContext } from "../context/context.ts";
import { clusterIdentityIDs, ensureClusterMsiCertificate } from "../identity/cluster-identity.ts";
import { platformWorkloadIdentityIDs } from "../identity/platform-identities.ts";
import { contextOf } from "../testing/context.ts";
import { createIdentities, identityGroup } from "../testing/identities.ts";
import { assignRole, withRoles } from "../testing/roles.ts";
import { startWorld, type World } from "../testing/world.ts";
import { validateResources } from "./validate-resources.ts";

const signal = AbortSignal.timeout(900_000);
const operators = ["machine-api", "image-registry", "aro-operator"] as const;
let world: World;
let ids: Readonly<Record<"cluster" | (typeof operators)[number], string>>;
let shape: OpenShiftCluster;

before(async () => {
  world = await startWorld();
  ids = await createIdentities(world, ["cluster", ...operators], signal);
  shape = newCluster({
    name: "demo",
    subscriptionId: world.subscriptionId,
    masterSubnetId: await world.subnet("master", "10.0.0.0/24"),
    workerSubnetId: await world.subnet("worker", "10.0.1.0/24"),
  });
});
after(() => world[Symbol.asyncDispose]());

function contextWith(
  change: Partial<typeof ids> = {},
  clock?: Clock,
  roleSets?: readonly RoleSetProperties[],
): ClusterContext {
  const { cluster, ...rest } = { ...ids, ...change };
  return contextOf(world, withIdentities(shape, world.identityUrl, cluster, rest), clock, roleSets);
}

/** Runs the installation steps that precede the validation. */
async function begin(context: ClusterContext): Promise<void> {
  await ensureClusterMsiCertificate(context);
  await platformWorkloadIdentityIDs(context);
  await validateResources(context);
  await clusterIdentityIDs(context);
}

const refusal = (code: string, target: string | undefined, message: string) => (error: unknown) => {
  assert.ok(error instanceof CloudError, `${error}`);
  assert.deepEqual([error.body.code, error.body.target, error.message], [code, target, message]);
  return true;
};

const identityOf = (name: string) =>
  world.azure.identities.userAssignedIdentities.get(identityGroup, name, world.azure.call(signal));

/** Runs the action while the named identity has no roles. */
async function limited(name: string, action: () => Promise<void>): Promise<void> {
  const { principalId = "" } = await identityOf(name);
  await withRoles(world, principalId, [], action);
}

test("identities that fit are looked up and stored", async () => {
  const context = contextWith();
  await begin(context);
  const { managedServiceIdentity, properties } = context.cluster;
  const [own, operator] = [await identityOf("cluster"), await identityOf("machine-api")];
  assert.deepEqual(managedServiceIdentity?.userAssignedIdentities, {
    [ids.cluster]: { clientId: own.clientId, principalId: own.principalId },
  });
  assert.deepEqual(properties.platformWorkloadIdentityProfile?.platformWorkloadIdentities?.["machine-api"], {
    resourceId: ids["machine-api"],
    clientId: operator.clientId,
    objectId: operator.principalId,
  });
});

test("a missing identity of the cluster is reported", async () => {
  const gone = `${ids.cluster}-gone`;
  const message = `The provided cluster identity '${gone}' could not be found.`;
  await assert.rejects(
    begin(contextWith({ cluster: gone })),
    refusal("InvalidParameter", "identity", message),
  );
});

test("a missing operator identity is reported with its path", async () => {
  const context = contextWith({ "image-registry": `${ids["image-registry"]}-gone` });
  await assert.rejects(begin(context), (error) => {
    assert.ok(error instanceof CloudError);
    assert.equal(error.body.code, "InvalidPlatformWorkloadIdentity");
    assert.equal(
      error.body.target,
      '.properties.platformWorkloadIdentityProfile.platformWorkloadIdentities["image-registry"]',
    );
    return true;
  });
});

test("an operator identity of a different subscription is rejected", async () => {
  const elsewhere = ids["aro-operator"].replace(world.subscriptionId, randomUUID());
  const context = contextWith({ "aro-operator": elsewhere });
  const target = '.properties.platformWorkloadIdentityProfile.platformWorkloadIdentities["aro-operator"]';
  const message = `The platform workload identity '${elsewhere}' is invalid: must be in same subscription as cluster.`;
  await assert.rejects(begin(context), refusal("InvalidPlatformWorkloadIdentity", target, message));
});

test("an operator identity with a foreign federated credential is rejected", async () => {
  const { federatedIdentityCredentials } = world.azure.identities;
  const foreign = { issuer: "https://issuer.example/", subject: "s", audiences: ["openshift"] };
  const call = world.azure.call(signal);
  await federatedIdentityCredentials.createOrUpdate(identityGroup, "aro-operator", "foreign", foreign, call);
  const target =
    "properties.platformWorkloadIdentityProfile.platformWorkloadIdentities.aro-operator.resourceId";
  const message = `Unexpected federated credential 'foreign' found on platform workload identity '${ids["aro-operator"]}' used for role 'aro-operator'. Please ensure this identity is only used for this cluster and does not have any existing federated identity credentials.`;
  await assert.rejects(
    begin(contextWith()),
    refusal("PlatformWorkloadIdentityContainsInvalidCredential", target, message),
  );
  await federatedIdentityCredentials.delete(identityGroup, "aro-operator", "foreign", call);
});

test("a cluster identity without its role on the operators' identities is reported after it may read them", async () => {
  const { principalId = "" } = await identityOf("cluster");
  const reader = "acdd72a7-3385-48ef-bd42-f606fba81ae7";
  await limited("cluster", async () => {
    await assert.rejects(begin(contextWith()), (error) => {
      assert.ok(error instanceof CloudError);
      assert.equal(error.body.code, "InvalidPlatformWorkloadIdentity");
      assert.ok(isAuthorizationPropagation(error.cause), "the role may still be on its way");
      return true;
    });
    const scope = `/subscriptions/${world.subscriptionId}/resourceGroups/${identityGroup}`;
    await assignRole(world, principalId, { role: reader, scope });
    // The cluster has two problems. The error about the missing role must precede the error about a foreign federated credential,
    // in whatever order the responses arrive.
    const { federatedIdentityCredentials } = world.azure.identities;
    const foreign = { issuer: "https://issuer.example/", subject: "s", audiences: ["openshift"] };
    const call = world.azure.call(signal);
    await federatedIdentityCredentials.createOrUpdate(identityGroup, "machine-api", "foreign", foreign, call);
    await assert.rejects(begin(contextWith()), (error) => {
      assert.ok(error instanceof CloudError);
      assert.equal(error.body.code, "InvalidClusterMSIPermissions");
      assert.match(
        error.message,
        /^The cluster user assigned identity does not have required permissions on platform workload identity '.*'\.$/,
      );
      assert.ok(isAuthorizationPropagation(error.cause), "the role may still be on its way");
      return true;
    });
    await federatedIdentityCredentials.delete(identityGroup, "machine-api", "foreign", call);
  });
});

test("an operator's identity is only asked for the rights that its own role is for", async () => {
  const disks = "/providers/Microsoft.Authorization/roleDefinitions/5b7237c5-45e1-49d6-bc18-a1f62f400748";
  const withDisksAlone = testRoleSets.map((set) => ({
    ...set,
    platformWorkloadIdentityRoles: set.platformWorkloadIdentityRoles.map((role) =>
      role.operatorName === "image-registry" ? { ...role, roleDefinitionId: disks } : role,
    ),
  }));
  await limited("image-registry", () => begin(contextWith({}, undefined, withDisksAlone)));
  await limited("machine-api", async () => {
    const subnet = shape.properties.masterProfile.subnetId;
    const message = `The machine-api platform managed identity does not have required permissions on subnet '${subnet}'.`;
    await assert.rejects(
      begin(contextWith()),
      refusal("InvalidWorkloadIdentityPermissions", undefined, message),
    );
  });
});

test("the certificate of the cluster's identity is fetched again at its renewal time and for a different identity", async () => {
  const clock = new ManualClock(new Date());
  const context = contextWith({}, clock);
  const fetched = async () => {
    await ensureClusterMsiCertificate(context);
    const text = context.cluster.properties.clusterIdentityCredentials?.reveal() ?? "";
    return JSON.parse(text).renewAfter as string;
  };
  const first = await fetched();
  await context.update((cluster) => withRenewal(cluster, "2000-01-01T00:00:00Z"));
  assert.equal(await fetched(), first, "fetched anew");
  await context.update((cluster) => withRenewal(cluster, "2100-01-01T00:00:00Z"));
  assert.equal(await fetched(), "2100-01-01T00:00:00Z", "kept");
  await context.update((cluster) => ({
    ...cluster,
    managedServiceIdentity: {
      ...cluster.managedServiceIdentity,
      userAssignedIdentities: { [ids["machine-api"]]: {} },
    },
  }));
  assert.notEqual(await fetched(), "2100-01-01T00:00:00Z", "another identity's");
});

function withRenewal(cluster: OpenShiftCluster, renewAfter: string): OpenShiftCluster {
  const stored = JSON.parse(cluster.properties.clusterIdentityCredentials?.reveal() ?? "");
  const clusterIdentityCredentials = new Secret(JSON.stringify({ ...stored, renewAfter }));
  return { ...cluster, properties: { ...cluster.properties, clusterIdentityCredentials } };
}
