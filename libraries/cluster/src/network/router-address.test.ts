import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type KubeClient, resources } from "@keelson/kube";
import { managedGroupOf, withProperties } from "@keelson/model";
import { newCluster } from "@keelson/model/testing";
import type { ClusterContext } from "../context/context.ts";
import { contextOf } from "../testing/context.ts";
import { kubeObjects } from "../testing/kube-objects.ts";
import { signal } from "../testing/store.ts";
import { domain, location, serviceGroup, startWorld, type World } from "../testing/world.ts";
import { createOrUpdateRouterIPFromCluster } from "./addresses.ts";
import { createDNS } from "./dns.ts";

let world: World;
before(async () => {
  world = await startWorld();
});
after(() => world[Symbol.asyncDispose]());

/** Creates a cluster with the stored router address 192.0.2.9, in which the router's Service reports `address`. */
async function clusterStating(name: string, address: string): Promise<ClusterContext> {
  const cluster = newCluster({ name, subscriptionId: world.subscriptionId });
  const [ingress] = cluster.properties.ingressProfiles;
  assert.ok(ingress);
  const stored = withProperties(cluster, { ingressProfiles: [{ ...ingress, ip: "192.0.2.9" }] });
  const kube = kubeObjects();
  const metadata = { namespace: "openshift-ingress", name: "router-default" };
  const status = { loadBalancer: { ingress: [{ ip: address }] } };
  await kube.create(resources.services, { apiVersion: "v1", kind: "Service", metadata, status }, signal);
  const context = Object.assign(contextOf(world, stored), { kube: () => kube as unknown as KubeClient });
  await createDNS(context);
  return context;
}

async function published(name: string): Promise<string | undefined> {
  const options = world.azure.call(signal);
  const record = await world.azure.dns.recordSets.get(serviceGroup, domain, `*.apps.${name}`, "A", options);
  return record.aRecords?.[0]?.ipv4Address;
}

test("an address that no load balancer of the cluster has is not published", async () => {
  const context = await clusterStating("liar", "203.0.113.66");
  await world.azure.resources.resourceGroups.createOrUpdate(
    managedGroupOf(context.cluster),
    { location },
    world.azure.call(signal),
  );
  await createOrUpdateRouterIPFromCluster(context);
  assert.equal(await published("liar"), "192.0.2.9");
  assert.equal(context.cluster.properties.ingressProfiles[0]?.ip, "192.0.2.9");
});

test("the address of a public IP of the cluster is stored and published", async () => {
  const context = await clusterStating("honest", "");
  const group = managedGroupOf(context.cluster);
  await world.azure.resources.resourceGroups.createOrUpdate(group, { location }, world.azure.call(signal));
  const address = await world.azure.network.publicIPAddresses.createOrUpdate(
    group,
    "router",
    { location, sku: { name: "Standard" }, publicIPAllocationMethod: "Static" },
    world.azure.call(signal),
  );
  const { ipAddress = "" } = address;
  const metadata = { namespace: "openshift-ingress", name: "router-default" };
  const status = { loadBalancer: { ingress: [{ ip: ipAddress }] } };
  await context.kube().mergePatch(resources.services, metadata, { status }, signal);
  await createOrUpdateRouterIPFromCluster(context);
  assert.equal(await published("honest"), ipAddress);
  assert.equal(context.cluster.properties.ingressProfiles[0]?.ip, ipAddress);
});
