import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { test } from "node:test";
import { isNotFound } from "@keelson/azure";
import {
  createLogger,
  isPlainObject,
  type Logger,
  listAt,
  Secret,
  stringAt,
  systemClock,
  valueAt,
} from "@keelson/base";
import {
  domain,
  networkGroup,
  newCluster,
  openStore,
  operationEnd,
  putCluster,
  putSubscription,
  readCluster,
  serviceGroup,
  startWorld,
  type World,
} from "@keelson/cluster/testing";
import { connectKube, type KubeClient, type KubeObject, resources } from "@keelson/kube";
import type { OpenShiftCluster, ServiceDatabase } from "@keelson/model";
import { startBackend } from "./backend.ts";

const signal = AbortSignal.timeout(900_000);

test("a cluster is created, scaled, given more outbound addresses, and deleted", {
  timeout: 900_000,
}, async (t) => {
  await using world = await startWorld();
  await using database = await openStore();
  await putSubscription(database, world.subscriptionId);
  const deleted: string[] = [];
  await using _backend = await startBackend({
    database,
    environment: world.environment,
    clock: systemClock,
    logger: notingDeletions((type) => deleted.push(type)),
  });
  const [principal] = world.clusterPrincipals;
  assert.ok(principal);
  const requested = newCluster({
    name: "demo",
    subscriptionId: world.subscriptionId,
    principal,
    masterSubnetId: await world.subnet("master", "10.0.0.0/24"),
    workerSubnetId: await world.subnet("worker", "10.0.1.0/24"),
  });
  const group = "aro-demo";
  const done = await succeed(database, requested);
  const { properties } = done;
  const infraId = properties.infraId ?? "";
  await using kube = connect(properties.userAdminKubeconfig);

  await t.test("the document contains the properties for clients, but not the install state", () => {
    assert.equal(properties.provisioningState, "Succeeded");
    assert.equal(properties.install, undefined);
    assert.match(infraId, /^demo-[a-z0-9]{5}$/);
    assert.equal(properties.apiserverProfile.url, `https://api.demo.${domain}:6443/`);
    assert.equal(properties.consoleProfile?.url, `https://console-openshift-console.apps.demo.${domain}/`);
    assert.match(properties.kubeadminPassword?.reveal() ?? "", /^(\w{5}-){3}\w{5}$/);
    assert.deepEqual(
      properties.workerProfilesStatus?.map(({ name, count }) => [name, count]),
      [
        [`${infraId}-worker-eastus1`, 1],
        [`${infraId}-worker-eastus2`, 1],
        [`${infraId}-worker-eastus3`, 1],
      ],
    );
  });

  await t.test("three masters and three workers are Ready", async () => {
    assert.equal((await readyNodes(kube, "master")).length, 3);
    assert.equal((await readyNodes(kube, "worker")).length, 3);
  });

  await t.test("kubeconfigs have the user and the validity of their purpose", () => {
    const subjects = {
      adminKubeconfig: ["O=system:masters\nCN=system:admin", 3650],
      aroServiceKubeconfig: ["O=system:masters\nCN=system:aro-service", 3650],
      aroSREKubeconfig: ["CN=system:aro-sre", 3650],
      userAdminKubeconfig: ["CN=system:admin", 365],
    } as const;
    for (const [name, [subject, days]] of Object.entries(subjects)) {
      const certificate = certificateOf(Object.entries(properties).find(([key]) => key === name)?.[1]);
      assert.equal(certificate.subject, subject);
      const left = (Date.parse(certificate.validTo) - Date.now()) / 86_400_000;
      assert.ok(Math.abs(left - days) < 1, `${name} is valid for ${left} days`);
    }
  });

  await t.test("machines and addresses are in the availability zones of their sizes", async () => {
    const zones = ["1", "2", "3"];
    assert.deepEqual(properties.zones, zones);
    const { compute, network, call } = world.azure;
    const machines = await Array.fromAsync(compute.virtualMachines.list(group, call(signal)));
    const zonesOf = (role: string) =>
      machines
        .filter(({ name = "" }) => name.startsWith(`${infraId}-${role}`))
        .map((each) => each.zones?.join())
        .sort();
    assert.deepEqual([zonesOf("master"), zonesOf("worker")], [zones, zones]);
    const internal = await network.loadBalancers.get(group, `${infraId}-internal`, call(signal));
    assert.deepEqual(internal.frontendIPConfigurations?.[0]?.zones, zones);
  });

  await t.test("Azure holds the objects of a public cluster, by name", async () => {
    const names = await resourceNames(world, group);
    for (const name of [
      `Microsoft.Network/networkSecurityGroups/${infraId}-nsg`,
      `Microsoft.Network/loadBalancers/${infraId}`,
      `Microsoft.Network/loadBalancers/${infraId}-internal`,
      `Microsoft.Network/publicIPAddresses/${infraId}-pip-v4`,
      `Microsoft.Network/publicIPAddresses/${infraId}-default-v4`,
      `Microsoft.Compute/virtualMachines/${infraId}-master-0`,
      `Microsoft.Compute/virtualMachines/${infraId}-master-1`,
      `Microsoft.Compute/virtualMachines/${infraId}-master-2`,
      `Microsoft.Network/networkInterfaces/${infraId}-master0-nic`,
    ]) {
      assert.ok(names.includes(name.toLowerCase()), `${name} is missing of ${names.join(" ")}`);
    }
    assert.equal(names.filter((name) => name.includes("bootstrap")).length, 0);
    const balancer = await world.azure.network.loadBalancers.get(
      group,
      `${infraId}-internal`,
      world.azure.call(signal),
    );
    assert.deepEqual(
      balancer.loadBalancingRules?.map(({ name, frontendPort, backendPort }) => [
        name,
        frontendPort,
        backendPort,
      ]),
      [
        ["api-internal-v4", 6443, 6443],
        ["sint-v4", 22623, 22623],
        ["ssh-0", 2200, 22],
        ["ssh-1", 2201, 22],
        ["ssh-2", 2202, 22],
      ],
    );
    assert.deepEqual(
      balancer.backendAddressPools?.map(({ name }) => name),
      [infraId, "ssh-0", "ssh-1", "ssh-2"],
    );
  });

  await t.test(
    "the service connects through a private endpoint, and stores the generated files in the cluster's storage account",
    async () => {
      assert.match(properties.networkProfile.privateEndpointIp ?? "", /^10\.128\./);
      assert.equal((await privateEndpoints(world)).length, 1);
      assert.equal(properties.installState, undefined);
      assert.ok(properties.installGraphKey);
      const names = await resourceNames(world, group);
      for (const prefix of ["cluster", "imageregistry"]) {
        const name = `microsoft.storage/storageaccounts/${prefix}${properties.storageSuffix}`;
        assert.ok(names.includes(name), `${name} is missing of ${names.join(" ")}`);
      }
      const registry = await kube.get(resources.imageRegistryConfigs, { name: "cluster" }, signal);
      assert.equal(
        valueAt(registry, "spec", "storage", "azure", "accountName"),
        `imageregistry${properties.storageSuffix}`,
      );
    },
  );

  await t.test(
    "its console shows the service's branding, and without a pull secret there are no samples",
    async () => {
      const singleton = { name: "cluster" };
      const console = await kube.get(resources.operatorConsoles, singleton, signal);
      assert.equal(valueAt(console, "spec", "customization", "brand"), "azure");
      const samples = await kube.get(resources.samplesConfigs, singleton, signal);
      assert.equal(valueAt(samples, "spec", "managementState"), "Removed");
      const { spec } = await kube.get(resources.aroClusters, singleton, signal);
      assert.equal(valueAt({ spec }, "spec", "operatorflags", "aro.forcereconciliation"), "false");
    },
  );

  await t.test("DNS points to the API server and to the router", async (t) => {
    const api = await world.azure.network.publicIPAddresses.get(
      group,
      `${infraId}-pip-v4`,
      world.azure.call(signal),
    );
    assert.equal(properties.apiserverProfile.ip, api.ipAddress);
    assert.deepEqual(await addressesOf(world, "api.demo"), [api.ipAddress]);
    const routerIp = properties.ingressProfiles[0]?.ip;
    assert.deepEqual(await addressesOf(world, "*.apps.demo"), [routerIp]);
    const router = { namespace: "openshift-ingress", name: "router-default" };
    await t.waitFor(
      async () => {
        const service = await kube.get(resources.services, router, signal);
        assert.equal(stringAt(listAt(service, "status", "loadBalancer", "ingress")[0], "ip"), routerIp);
      },
      { timeout: 30_000 },
    );
  });

  await t.test(
    "five workers are five machines and five nodes, and one outbound address becomes three",
    async () => {
      const updated = await succeed(database, {
        ...done,
        properties: {
          ...properties,
          provisioningState: "Updating",
          workerProfiles: properties.workerProfiles.map((profile) => ({ ...profile, count: 5 })),
          networkProfile: {
            ...properties.networkProfile,
            loadBalancerProfile: {
              ...properties.networkProfile.loadBalancerProfile,
              managedOutboundIps: { count: 3 },
            },
          },
        },
      });
      assert.equal((await readyNodes(kube, "worker")).length, 5);
      assert.deepEqual(
        updated.properties.workerProfilesStatus?.map(({ count }) => count),
        [2, 2, 1],
      );
      assert.equal((await outboundIps(world, group)).length, 2);
      const balancer = await world.azure.network.loadBalancers.get(group, infraId, world.azure.call(signal));
      assert.equal(balancer.outboundRules?.[0]?.frontendIPConfigurations?.length, 3);
    },
  );

  await t.test("back to three workers and one address, and the API server keeps its own", async () => {
    const current = await readCluster(database, done.id);
    assert.ok(current);
    await succeed(database, {
      ...current,
      properties: {
        ...current.properties,
        provisioningState: "Updating",
        workerProfiles: properties.workerProfiles,
        networkProfile: {
          ...current.properties.networkProfile,
          loadBalancerProfile: {
            ...current.properties.networkProfile.loadBalancerProfile,
            managedOutboundIps: { count: 1 },
          },
        },
      },
    });
    assert.equal((await readyNodes(kube, "worker")).length, 3);
    assert.deepEqual(await outboundIps(world, group), []);
    assert.deepEqual(await addressesOf(world, "api.demo"), [properties.apiserverProfile.ip]);
  });

  await t.test("workers added in the cluster itself stay through an update, which reports them", async () => {
    const machineSet = { namespace: "openshift-machine-api", name: `${infraId}-worker-eastus2` };
    const replicas = { spec: { replicas: 2 } };
    await kube.mergePatch(resources.machineSets, machineSet, replicas, signal);
    const current = await readCluster(database, done.id);
    assert.ok(current);
    const updating = { ...current.properties, provisioningState: "Updating" } as const;
    const updated = await succeed(database, { ...current, properties: updating });
    assert.deepEqual(
      updated.properties.workerProfilesStatus?.map(({ count }) => count),
      [1, 2, 1],
    );
    assert.deepEqual(updated.properties.workerProfiles, properties.workerProfiles);
  });

  await t.test(
    "maintenance restores the previous state, also with an expired customer's secret, and records its failure",
    async () => {
      const current = await readCluster(database, done.id);
      assert.ok(current);
      const asked = {
        provisioningState: "AdminUpdating",
        lastProvisioningState: "Succeeded",
        maintenanceTask: "Everything",
        maintenanceState: "Unplanned",
      } as const;
      const maintained = await succeed(database, {
        ...current,
        properties: { ...current.properties, ...asked },
      });
      assert.equal(maintained.properties.provisioningState, "Succeeded");
      assert.equal(maintained.properties.maintenanceState, "None");
      assert.equal(maintained.properties.maintenanceTask, undefined);
      assert.equal((await readyNodes(kube, "worker")).length, 4);

      const { clusterProfile, servicePrincipalProfile } = maintained.properties;
      assert.ok(servicePrincipalProfile);
      const expired = { ...servicePrincipalProfile, clientSecret: new Secret("expired") };
      await succeed(database, {
        ...maintained,
        properties: { ...maintained.properties, ...asked, servicePrincipalProfile: expired },
      });
      const broken = {
        ...maintained.properties,
        ...asked,
        clusterProfile: {
          ...clusterProfile,
          resourceGroupId: clusterProfile.resourceGroupId.replace(group, networkGroup),
        },
      };
      const { asyncOperation, openShiftCluster } = await operationEnd(
        database,
        await putCluster(database, { ...maintained, properties: broken }),
      );
      assert.equal(asyncOperation.status, "Failed");
      assert.equal(openShiftCluster?.properties.provisioningState, "Succeeded");
      assert.equal(openShiftCluster?.properties.failedProvisioningState, "AdminUpdating");
      assert.equal(openShiftCluster?.properties.maintenanceState, "Unplanned");
      assert.match(
        openShiftCluster?.properties.lastAdminUpdateError ?? "",
        /ClusterResourceGroupAlreadyExists/,
      );
      await succeed(database, { ...maintained, properties: { ...maintained.properties, ...asked } });
    },
  );

  await t.test("an administrator's maintenance task runs only its own steps", async () => {
    const current = await readCluster(database, done.id);
    assert.ok(current);
    const deployment = { namespace: "openshift-azure-operator", name: "aro-operator-master" };
    await kube.delete(resources.deployments, deployment, signal);
    const queued = await putCluster(database, {
      ...current,
      properties: {
        ...current.properties,
        operatorFlags: { "aro.only.enabled": "true" },
        provisioningState: "AdminUpdating",
        lastProvisioningState: "Succeeded",
        maintenanceTask: "OperatorUpdate",
      },
    });
    assert.equal((await operationEnd(database, queued)).asyncOperation.status, "Succeeded");
    assert.ok(await kube.find(resources.deployments, deployment, signal));
    const { spec } = await kube.get(resources.aroClusters, { name: "cluster" }, signal);
    assert.ok(isPlainObject(spec));
    assert.deepEqual(spec.operatorflags, { "aro.environment": "test", "aro.only.enabled": "true" });
    const query = {
      partitionKey: queued.partitionKey,
      where: { operationId: queued.operationId },
      limit: 100,
    };
    const { items } = await database.collections.journal.list(query, signal);
    const steps = items.map(({ document }) => document.step);
    assert.ok(steps.includes("ensureAROOperator"));
    assert.ok(!steps.includes("configureIngressCertificate"));
  });

  const bill = async () => {
    const { items } = await database.collections.billing.list({ limit: 2 }, signal);
    assert.equal(items.length, 1);
    return items[0]?.document;
  };
  await t.test("the cluster is on the bill from its installation on, once", async () => {
    const entry = await bill();
    assert.equal(entry?.key, done.id.toLowerCase());
    assert.equal(entry?.infraId, infraId);
    assert.equal(entry?.billing.location, "eastus");
    assert.ok((entry?.billing.creationTime ?? 0) > 0);
    assert.equal(entry?.billing.deletionTime, undefined);
  });

  await t.test("deletion follows the dependencies, and keeps only the customer's network", async () => {
    deleted.length = 0;
    const current = await readCluster(database, done.id);
    assert.ok(current);
    const deleting = { ...current.properties, provisioningState: "Deleting" } as const;
    const deletion = await putCluster(database, { ...current, properties: deleting });
    const end = await operationEnd(database, deletion);
    assert.equal(end.asyncOperation.error, undefined);
    assert.equal(end.asyncOperation.status, "Succeeded");
    assert.equal(end.openShiftCluster, undefined);
    assert.equal(await readCluster(database, done.id), undefined);
    assert.ok(((await bill())?.billing.deletionTime ?? 0) > 0);
    await assert.rejects(
      world.azure.resources.resourceGroups.get(group, world.azure.call(signal)),
      isNotFound,
    );
    assert.deepEqual(await privateEndpoints(world), []);
    assert.deepEqual(await addressesOf(world, "api.demo"), undefined);
    assert.deepEqual(await addressesOf(world, "*.apps.demo"), undefined);
    const subnet = await world.azure.network.subnets.get(
      networkGroup,
      "vnet",
      "master",
      world.azure.call(signal),
    );
    assert.equal(subnet.networkSecurityGroup, undefined);
    const order = ["virtualmachines", "networkinterfaces", "loadbalancers", "networksecuritygroups"];
    for (const [at, type] of order.entries()) {
      const next = order[at + 1];
      assert.ok(deleted.includes(type), `${type} in ${deleted}`);
      if (next)
        assert.ok(deleted.lastIndexOf(type) < deleted.indexOf(next), `${type} before ${next}: ${deleted}`);
    }
  });
});

/** Creates a logger that records the types of resources that the service deletes in Azure, in lower case. */
function notingDeletions(note: (type: string) => void): Logger {
  const line = /"method":"DELETE","path":"[^"]*\/providers\/[^/"]+\/([^/"]+)\/[^/"]+"/i;
  const destination = {
    write: (text: string) => {
      const type = line.exec(text)?.[1];
      if (type) note(type.toLowerCase());
    },
  };
  return createLogger({ level: "debug", destination });
}

async function succeed(database: ServiceDatabase, cluster: OpenShiftCluster): Promise<OpenShiftCluster> {
  const { asyncOperation, openShiftCluster } = await operationEnd(
    database,
    await putCluster(database, cluster),
  );
  assert.deepEqual(asyncOperation.error, undefined);
  assert.equal(asyncOperation.status, "Succeeded");
  assert.equal(asyncOperation.percentComplete, 100);
  assert.ok(openShiftCluster);
  return openShiftCluster;
}

function connect(kubeconfig: Secret | undefined): KubeClient {
  assert.ok(kubeconfig);
  return connectKube({ kubeconfig: kubeconfig.reveal(), userAgent: "test", fieldManager: "test" });
}

async function readyNodes(kube: KubeClient, role: string): Promise<readonly KubeObject[]> {
  const { items } = await kube.list(
    resources.nodes,
    { labelSelector: `node-role.kubernetes.io/${role}` },
    signal,
  );
  const isReady = { type: "Ready", status: "True" };
  return items.filter(({ status }) => {
    const conditions = isPlainObject(status) && Array.isArray(status.conditions) ? status.conditions : [];
    return conditions.some((each) => each.type === isReady.type && each.status === isReady.status);
  });
}

function certificateOf(kubeconfig: unknown): X509Certificate {
  assert.ok(kubeconfig instanceof Secret);
  const data = /client-certificate-data: (\S+)/.exec(kubeconfig.reveal())?.[1] ?? "";
  return new X509Certificate(Buffer.from(data, "base64"));
}

async function resourceNames({ azure }: World, group: string): Promise<readonly string[]> {
  const names: string[] = [];
  for await (const { type, name } of azure.resources.resources.listByResourceGroup(
    group,
    azure.call(signal),
  )) {
    names.push(`${type}/${name}`.toLowerCase());
  }
  return names;
}

async function outboundIps({ azure }: World, group: string): Promise<readonly string[]> {
  const names: string[] = [];
  for await (const { name } of azure.network.publicIPAddresses.list(group, azure.call(signal))) {
    if (name?.endsWith("-outbound-pip-v4")) names.push(name);
  }
  return names;
}

function privateEndpoints({ azure }: World) {
  return Array.fromAsync(azure.network.privateEndpoints.list(serviceGroup, azure.call(signal)));
}

async function addressesOf({ azure }: World, name: string) {
  try {
    const record = await azure.dns.recordSets.get(serviceGroup, domain, name, "A", azure.call(signal));
    return record.aRecords?.map(({ ipv4Address }) => ipv4Address);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
