import assert from "node:assert/strict";
import { before, test } from "node:test";
import type { ClusterApplication } from "../e2e/support/cluster-request.ts";
import type { Response } from "./support/arm-caller.ts";
import { assertStatus } from "./support/expect.ts";
import { type Changes, changed, type Service } from "./support/service.ts";

const network = "keelson-network";

interface Rehearsal {
  readonly name: string;
  readonly cluster: string;
  /** True if the cluster's application has no role assignments. */
  readonly withoutRoles?: true;
  /** Differences from a valid create request. */
  readonly request?: Changes;
  /** Causes the failure. Called before the create request. */
  readonly arrange?: (service: Service, rehearsal: ApplicationId) => Promise<void>;
  /** True if the service rejects the request synchronously. */
  readonly atOnce?: true;
  /** Returns the expected error of the creation. If the function is not set, the creation must succeed. */
  readonly error?: (service: Service, rehearsal: ApplicationId) => object;
  /** Asserts that resources of other owners still exist after the deletion of the cluster. */
  readonly untouched?: (service: Service) => Promise<void>;
}

/** ID of the cluster's application. */
interface ApplicationId {
  readonly clientId: string;
}

const vnetOf = (service: Service) =>
  `/subscriptions/${service.subscriptionId}/resourceGroups/${network}/providers/Microsoft.Network/virtualNetworks/vnet`;

const somebodyElse = "/subscriptions/other/resourceGroups/other/providers/Some.Body/else/x";

function rehearsal(cluster: string, name: string, rest: Omit<Rehearsal, "cluster" | "name">): Rehearsal {
  return { cluster, name, ...rest };
}

const rehearsals: readonly Rehearsal[] = [
  rehearsal("permissions", "wrong permissions of the cluster's application", {
    atOnce: true,
    withoutRoles: true,
    error: (service, { clientId }) => ({
      code: "InvalidServicePrincipalPermissions",
      message: `The cluster service principal (Application ID: ${clientId}) does not have required permissions on vnet '${vnetOf(service)}'.`,
    }),
  }),
  rehearsal("expired", "an expired secret", {
    arrange: (service, { clientId }) =>
      service.changeAzure({ faults: { expired: { kind: "secret-expired", clientId } } }),
    error: () => ({
      code: "InvalidServicePrincipalCredentials",
      target: "properties.servicePrincipalProfile",
      message: "The provided client secret is expired. Please create a new one for your service principal.",
    }),
  }),
  rehearsal("quota", "an exhausted quota", {
    arrange: (service) =>
      service.changeAzure({
        faults: {
          quota: {
            kind: "quota-exceeded",
            type: "Microsoft.Compute/virtualMachines",
            verb: "write",
            scope: managedGroup(service, "quota"),
            message: "Operation could not be completed as it results in exceeding approved quota.",
          },
        },
      }),
    error: () => ({
      code: "DeploymentFailed",
      message: "Deployment failed.",
      details: [
        {
          code: "QuotaExceeded",
          message: "Operation could not be completed as it results in exceeding approved quota.",
        },
      ],
    }),
  }),
  rehearsal("domain", "a taken domain", {
    request: { properties: { clusterProfile: { domain: "taken" } } },
    arrange: async (service) => {
      await service.azure("PUT", recordOf(service, "api.taken"), "2018-05-01", {
        properties: {
          TTL: 300,
          metadata: { resourceId: somebodyElse },
          ARecords: [{ ipv4Address: "192.0.2.7" }],
        },
      });
    },
    error: () => ({
      code: "DuplicateDomain",
      message: "The provided domain 'taken' is already in use by a cluster.",
    }),
    untouched: async (service) => {
      const { properties } = await service.azure("GET", recordOf(service, "api.taken"), "2018-05-01");
      assert.equal(properties.metadata.resourceId, somebodyElse);
      assert.deepEqual(properties.ARecords, [{ ipv4Address: "192.0.2.7" }]);
    },
  }),
  rehearsal("foreign", "a group of a different manager", {
    arrange: async (service) => {
      const group = { location: "eastus", tags: { owner: "somebody" } };
      await service.azure("PUT", managedGroup(service, "foreign"), "2021-04-01", group);
    },
    error: (service) => ({
      code: "ClusterResourceGroupAlreadyExists",
      message: `Resource group ${managedGroup(service, "foreign").toLowerCase()} must not already exist.`,
    }),
    untouched: async (service) => {
      const group = await service.azure("GET", managedGroup(service, "foreign"));
      assert.deepEqual([group.tags, group.managedBy], [{ owner: "somebody" }, undefined]);
      await service.azure("DELETE", managedGroup(service, "foreign"));
    },
  }),
  rehearsal("overlapping", "overlapping networks", {
    request: { properties: { networkProfile: { podCidr: "10.0.0.0/14" } } },
    error: () => ({
      code: "InvalidLinkedVNet",
      message: "The provided CIDRs must not overlap: '10.0.10.0/24 overlaps with 10.0.0.0/14'.",
    }),
  }),
  rehearsal("throttled", "throttling of the first write", {
    arrange: (service) =>
      service.changeAzure({
        faults: {
          throttled: {
            kind: "throttled",
            verb: "write",
            scope: managedGroup(service, "throttled"),
            retryAfterSeconds: 1,
            count: 2,
          },
        },
      }),
    untouched: async (service) => {
      const faults = await service.azureFaults();
      assert.equal(faults.find(({ name }) => name === "throttled")?.injected, 2);
    },
  }),
];

/** Names of the clusters in these tests. */
export const rehearsed: readonly string[] = rehearsals.map(({ cluster }) => cluster);

/**
 * Defines tests of failures in Azure and of customer errors. Each failure must result in the error that the reference documents.
 * The deletion of the cluster must remove all of its Azure resources, but no resources of other owners.
 */
export function rehearse(service: Service): void {
  const created = new Map<string, Response>();
  const applications = new Map<string, ClusterApplication>();

  before(async () => {
    for (const each of rehearsals) {
      const application = each.withoutRoles
        ? await service.registerWithoutRoles()
        : service.takeApplication();
      applications.set(each.cluster, application);
      await each.arrange?.(service, application);
      const good = service.request(each.cluster, {}, undefined, application);
      const request = changed(good, each.request ?? {});
      created.set(each.cluster, await service.arm.put(service.cluster(each.cluster), request));
    }
  });

  for (const each of rehearsals) {
    const { name, cluster, atOnce, error, untouched } = each;
    test(name, async () => {
      const response = created.get(cluster);
      assert.ok(response);
      assertStatus(response, atOnce ? 400 : 201);
      const end = atOnce ? response.body : await service.settle(response);
      const application = applications.get(cluster);
      assert.ok(application);
      if (error) {
        const expected = error(service, application);
        const told = Object.fromEntries(Object.keys(expected).map((key) => [key, end.error?.[key]]));
        assert.deepEqual(told, expected);
      } else assert.equal(end.status, "Succeeded", JSON.stringify(end));
      if (atOnce) assertStatus(await service.arm.get(service.cluster(cluster)), 404);
      else await deleteCluster(service, cluster);
      assert.deepEqual(await leftOf(service, cluster), []);
      await untouched?.(service);
    });
  }

  test("a locked group fails a deletion, and once the lock is gone it succeeds", async () => {
    const cluster = "permissions";
    const create = await service.arm.put(service.cluster(cluster), service.request(cluster));
    assert.equal((await service.settle(create)).status, "Succeeded");
    const message = "The scope cannot perform delete operation because following scope(s) are locked.";
    await service.changeAzure({
      faults: {
        locked: {
          kind: "refused",
          status: 409,
          code: "ScopeLocked",
          message,
          verb: "delete",
          scope: managedGroup(service, cluster),
        },
      },
    });
    const refused = await service.settle(await service.arm.delete(service.cluster(cluster)));
    assert.equal(refused.status, "Failed");
    assert.deepEqual([refused.error.code, refused.error.message], ["ScopeLocked", message]);
    const { properties } = (await service.admin.get(service.cluster(cluster, "admin"))).body;
    assert.deepEqual(
      [properties.provisioningState, properties.failedProvisioningState],
      ["Failed", "Deleting"],
    );
    await service.changeAzure({ faults: { locked: null } });
    await deleteCluster(service, cluster);
    assert.deepEqual(await leftOf(service, cluster), []);
  });
}

async function deleteCluster(service: Service, name: string): Promise<void> {
  const deleted = await service.arm.delete(service.cluster(name));
  assertStatus(deleted, 202);
  const operation = await service.settle(deleted);
  assert.equal(operation.status, "Succeeded", JSON.stringify(operation));
  assertStatus(await service.arm.get(service.cluster(name)), 404);
}

/**
 * Returns the remaining Azure resources of a cluster: its resource group, its DNS names, role assignments and subnet security
 * groups.
 */
async function leftOf(service: Service, name: string): Promise<readonly string[]> {
  const group = managedGroup(service, name).toLowerCase();
  const subscription = `/subscriptions/${service.subscriptionId}`;
  const ids = async (path: string, version: string): Promise<readonly string[]> =>
    (await service.azure("GET", path, version)).value.map(({ id }: { id: string }) => id.toLowerCase());
  const { value: groups } = await service.azure("GET", `${subscription}/resourcegroups`);
  const managed = groups.filter(
    (each: { id: string; managedBy?: string }) =>
      each.managedBy?.toLowerCase() === service.id(name).toLowerCase(),
  );
  const records = (await ids(`${service.domainZone}/A`, "2018-05-01")).filter((id) =>
    id.endsWith(`.${name}`),
  );
  const rights = await ids(
    `${subscription}/providers/Microsoft.Authorization/roleAssignments`,
    "2018-09-01-preview",
  );
  const subnets = await service.azure("GET", `${vnetOf(service)}/subnets`, "2020-08-01");
  const guards: string[] = subnets.value.flatMap(
    (each: { properties: { networkSecurityGroup?: { id: string } } }) =>
      each.properties.networkSecurityGroup?.id.toLowerCase() ?? [],
  );
  return [
    ...managed.map(({ id }: { id: string }) => id),
    ...records,
    ...[...rights, ...guards].filter((id) => id.startsWith(`${group}/`)),
  ];
}

function managedGroup({ subscriptionId }: Service, name: string): string {
  return `/subscriptions/${subscriptionId}/resourceGroups/aro-${name}`;
}

function recordOf({ domainZone }: Service, name: string): string {
  return `${domainZone}/A/${name}`;
}
