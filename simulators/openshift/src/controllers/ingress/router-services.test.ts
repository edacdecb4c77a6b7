import assert from "node:assert/strict";
import { test } from "node:test";
import { stringAt, valueAt } from "@keelson/base";
import { eventually } from "@keelson/base/testing/eventually";
import { ApiWorld } from "../../apis/testing/api-world.ts";
import { resources } from "../../base/resources.ts";
import { ingressOperator } from "./controller.ts";
import { routerNamespace } from "./router-services.ts";

const controllerNamespace = "openshift-ingress-operator";

async function start(): Promise<ApiWorld> {
  const world = await ApiWorld.start([ingressOperator]);
  for (const name of [routerNamespace, controllerNamespace])
    await world.client.create(resources.namespaces, {
      apiVersion: "v1",
      kind: "Namespace",
      metadata: { name },
    });
  return world;
}

function controller(name: string, spec: Readonly<Record<string, unknown>> = {}) {
  return {
    apiVersion: "operator.openshift.io/v1",
    kind: "IngressController",
    metadata: { namespace: controllerNamespace, name },
    spec,
  };
}

const serviceOf = (world: ApiWorld, name: string) =>
  world.client.find(resources.services, { namespace: routerNamespace, name });

test("a router has a load balancer and a metrics Service with a certificate, and both are recreated", async () => {
  await using world = await start();
  await world.client.create(resources.ingressControllers, controller("default"));
  const made = async () => {
    const [outer, inner] = [
      await serviceOf(world, "router-default"),
      await serviceOf(world, "router-internal-default"),
    ];
    assert.equal(stringAt(outer, "spec", "type"), "LoadBalancer");
    assert.equal(outer?.metadata.labels?.app, "router");
    assert.equal(stringAt(inner, "spec", "type"), "ClusterIP");
    assert.equal(valueAt(inner, "spec", "ports", 2, "port"), 1936);
    const secret = { namespace: routerNamespace, name: "router-metrics-certs-default" };
    assert.ok(await world.client.find(resources.secrets, secret));
  };
  await eventually(made);
  await world.client.delete(resources.services, {
    namespace: routerNamespace,
    name: "router-internal-default",
  });
  await eventually(made);
});

test("the load balancer is internal on request, does not exist with other strategies, and is deleted with the controller", async () => {
  await using world = await start();
  const strategy = (value: object) => ({ domain: "apps.x.example", endpointPublishingStrategy: value });
  const loadBalancer = { scope: "Internal", dnsManagementPolicy: "Managed" };
  const inside = controller("inside", strategy({ type: "LoadBalancerService", loadBalancer }));
  await world.client.create(resources.ingressControllers, inside);
  await world.client.create(
    resources.ingressControllers,
    controller("hidden", strategy({ type: "Private" })),
  );
  await eventually(async () => {
    const service = await serviceOf(world, "router-inside");
    const annotation = "service.beta.kubernetes.io/azure-load-balancer-internal";
    assert.equal(service?.metadata.annotations?.[annotation], "true");
    const { status } = await world.client.get(resources.ingressControllers, inside.metadata);
    assert.equal(stringAt(status, "endpointPublishingStrategy", "loadBalancer", "scope"), "Internal");
    const hidden = await world.client.get(resources.ingressControllers, {
      namespace: controllerNamespace,
      name: "hidden",
    });
    assert.equal(stringAt(hidden, "status", "endpointPublishingStrategy", "type"), "Private");
    assert.ok(await serviceOf(world, "router-internal-hidden"));
    assert.equal(await serviceOf(world, "router-hidden"), undefined);
  });
  await world.client.delete(resources.ingressControllers, inside.metadata);
  await eventually(async () => {
    assert.equal(await serviceOf(world, "router-inside"), undefined);
    assert.equal(await serviceOf(world, "router-internal-inside"), undefined);
  });
});

test("a cluster installed without a router Service keeps the address of its applications' DNS names", async () => {
  await using world = await start();
  const { client } = world;
  const open = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  await client.create(definitions, {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "clusters.aro.openshift.io" },
    spec: {
      group: "aro.openshift.io",
      names: { kind: "Cluster", plural: "clusters", singular: "cluster", listKind: "ClusterList" },
      scope: "Cluster",
      versions: [{ name: "v1alpha1", served: true, storage: true, schema: { openAPIV3Schema: open } }],
    },
  });
  await eventually(() =>
    client.create(resources.aroClusters, {
      apiVersion: "aro.openshift.io/v1alpha1",
      kind: "Cluster",
      metadata: { name: "cluster" },
      spec: { ingressIP: "192.0.2.1" },
    }),
  );
  await client.create(resources.ingressControllers, controller("default"));
  await eventually(async () => {
    const service = await serviceOf(world, "router-default");
    const annotation = "service.beta.kubernetes.io/azure-load-balancer-ipv4";
    assert.equal(service?.metadata.annotations?.[annotation], "192.0.2.1");
  });
});

const definitions = { group: "apiextensions.k8s.io", version: "v1", resource: "customresourcedefinitions" };
