import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { listAt, stringAt } from "@keelson/base";
import { eventually } from "@keelson/base/testing/eventually";
import { resources } from "./base/resources.ts";
import { installed } from "./testing/installed-cluster.ts";
import { infraId, type TestWorld } from "./testing/installed-world.ts";

const ref = (group: string, version: string, resource: string) => ({ group, version, resource });

/** Objects of a new cluster that operators, monitors and portals read. */
const present: readonly (readonly [resource: ReturnType<typeof ref>, name: string, namespace?: string])[] = [
  ...[
    "infrastructures",
    "networks",
    "dnses",
    "ingresses",
    "proxies",
    "oauths",
    "images",
    "featuregates",
    "apiservers",
    "authentications",
    "consoles",
    "schedulers",
    "operatorhubs",
  ].map((resource) => [ref("config.openshift.io", "v1", resource), "cluster"] as const),
  ...["kubeapiservers", "etcds", "networks", "cloudcredentials", "serviceca".concat("s"), "olms"].map(
    (resource) => [ref("operator.openshift.io", "v1", resource), "cluster"] as const,
  ),
  [ref("operator.openshift.io", "v1", "dnses"), "default"],
  [ref("operator.openshift.io", "v1", "ingresscontrollers"), "default", "openshift-ingress-operator"],
  [ref("imageregistry.operator.openshift.io", "v1", "configs"), "cluster"],
  [ref("", "v1", "secrets"), "pull-secret", "openshift-config"],
  [ref("", "v1", "secrets"), "alertmanager-main", "openshift-monitoring"],
  [ref("", "v1", "secrets"), "router-certs-default", "openshift-ingress"],
  [ref("", "v1", "configmaps"), "default-ingress-cert", "openshift-config-managed"],
  [ref("", "v1", "configmaps"), "cloud-provider-config", "openshift-config"],
  [resources.controllerConfigs, "machine-config-controller"],
];

const absent: typeof present = [
  [ref("samples.operator.openshift.io", "v1", "configs"), "cluster"],
  [ref("", "v1", "configmaps"), "cluster-monitoring-config", "openshift-monitoring"],
];

describe("a fresh cluster", { timeout: 900_000 }, () => {
  let world: TestWorld;
  before(async () => {
    world = await installed({ workers: 2 });
  });
  after(() => world?.[Symbol.asyncDispose]());

  test("has the objects that its readers expect, without those that its operators create", async () => {
    const { client } = world;
    for (const [resource, name, namespace] of present) await client.get(resource, { name, namespace });
    for (const [resource, name, namespace] of absent)
      assert.equal(await client.find(resource, { name, namespace }), undefined, name);
  });

  test("names the images of its masters and exposes monitoring by admitted routes", async () => {
    const { client } = world;
    const labelSelector = "machine.openshift.io/cluster-api-machine-role=master";
    const masters = (await client.list(resources.machines, { labelSelector })).items;
    assert.deepEqual(
      masters.map((master) => stringAt(master, "spec", "providerSpec", "value", "image", "sku")),
      ["aro_419", "aro_419", "aro_419"],
    );
    const hosts = ["alertmanager-main", "prometheus-k8s", "prometheus-k8s-federate", "thanos-querier"].map(
      (name) => `${name}-openshift-monitoring.apps.demo.eastus.keelson.localhost True`,
    );
    await eventually(async () => {
      const { items } = await client.list(resources.routes, { namespace: "openshift-monitoring" });
      const admitted = items.map((route) => {
        const [ingress] = listAt(route, "status", "ingress");
        return `${stringAt(ingress, "host")} ${stringAt(listAt(ingress, "conditions")[0], "status")}`;
      });
      assert.deepEqual(admitted.toSorted(), hosts.toSorted());
    });
  });

  test("provides its components with the requested credentials, and new ones after a change", async () => {
    const { client } = world;
    const root = { namespace: "kube-system", name: "azure-credentials" };
    const given = { namespace: "openshift-machine-api", name: "azure-cloud-credentials" };
    const secretOf = async (key: typeof root) =>
      stringAt(await client.get(resources.secrets, key), "data", "azure_client_secret");
    assert.match((await secretOf(root)) ?? "", /^[\w+/]+=*$/);
    await eventually(async () => assert.equal(await secretOf(given), await secretOf(root)));
    const data = { azure_client_secret: Buffer.from("rotated").toString("base64") };
    await client.mergePatch(resources.secrets, root, { data });
    await eventually(async () => {
      assert.equal(await secretOf(given), data.azure_client_secret);
      const request = await client.get(resources.credentialsRequests, {
        namespace: "openshift-cloud-credential-operator",
        name: "openshift-machine-api-azure",
      });
      assert.match(stringAt(request, "status", "lastSyncTimestamp") ?? "", /Z$/);
    });
  });

  test("a deleted Secret and a recreated namespace have the credentials again, without a change of the request", async () => {
    const { client } = world;
    const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name: "example-component" } };
    const given = { namespace: namespace.metadata.name, name: "example-component-credentials" };
    const request = { namespace: "openshift-cloud-credential-operator", name: "example-component" };
    await client.create(resources.credentialsRequests, {
      apiVersion: "cloudcredential.openshift.io/v1",
      kind: "CredentialsRequest",
      metadata: request,
      spec: { secretRef: given },
    });
    await client.create(resources.namespaces, namespace);
    const { uid } = (await eventually(() => client.get(resources.secrets, given))).metadata;
    await client.delete(resources.secrets, given);
    const again = await eventually(async () => {
      const secret = await client.get(resources.secrets, given);
      assert.notEqual(secret.metadata.uid, uid);
      return secret;
    });
    await client.delete(resources.namespaces, namespace.metadata);
    await eventually(async () =>
      assert.equal(await client.find(resources.namespaces, namespace.metadata), undefined),
    );
    await client.create(resources.namespaces, namespace);
    await eventually(async () =>
      assert.notEqual((await client.get(resources.secrets, given)).metadata.uid, again.metadata.uid),
    );
    await client.delete(resources.credentialsRequests, request);
    await client.delete(resources.namespaces, namespace.metadata);
  });

  test("deletes credentials with their request", async () => {
    const { client } = world;
    const key = { namespace: "openshift-cloud-credential-operator", name: "example" };
    const given = { namespace: "openshift-machine-api", name: "example-credentials" };
    await client.create(resources.credentialsRequests, {
      apiVersion: "cloudcredential.openshift.io/v1",
      kind: "CredentialsRequest",
      metadata: { ...key, finalizers: ["cloudcredential.openshift.io/deprovision"] },
      spec: { secretRef: given },
    });
    await eventually(async () => assert.ok(await client.find(resources.secrets, given)));
    await client.delete(resources.credentialsRequests, key);
    await eventually(async () => {
      assert.equal(await client.find(resources.credentialsRequests, key), undefined);
      assert.equal(await client.find(resources.secrets, given), undefined);
    });
  });

  test("runs the control plane's pods on every master, and again when they are deleted", async () => {
    const { client } = world;
    const selector = { namespace: "openshift-etcd", labelSelector: "app=etcd" };
    const nodes = async () =>
      (await client.list(resources.pods, selector)).items
        .map((pod) => stringAt(pod, "spec", "nodeName"))
        .toSorted();
    const masters = [0, 1, 2].map((index) => `${infraId}-master-${index}`);
    await eventually(async () => assert.deepEqual(await nodes(), masters));
    const [pod] = (await client.list(resources.pods, selector)).items;
    assert.ok(pod);
    await client.delete(resources.pods, pod.metadata);
    await eventually(async () => {
      const found = await client.get(resources.pods, pod.metadata);
      assert.notEqual(found.metadata.uid, pod.metadata.uid);
      assert.deepEqual(await nodes(), masters);
    });
  });
});
