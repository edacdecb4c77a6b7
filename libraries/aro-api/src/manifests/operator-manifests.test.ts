import assert from "node:assert/strict";
import { test } from "node:test";
import { listAt, stringAt, valueAt } from "@keelson/base";
import type { KubeObject } from "@keelson/kube";
import type { DeploymentOptions } from "./deployment.ts";
import { operatorManifests } from "./operator-manifests.ts";

const options: DeploymentOptions = {
  image: "arosvc.example/keelson:v1",
  usesWorkloadIdentity: false,
  supportsPodSecurity: true,
};

function objectOf(kind: string, name: string, change: Partial<DeploymentOptions> = {}): KubeObject {
  const found = operatorManifests({ ...options, ...change }).find(
    ({ object }) => object.kind === kind && object.metadata.name === name,
  );
  assert.ok(found, `${kind} ${name}`);
  return found.object;
}

const deploymentOf = (role: "master" | "worker", change: Partial<DeploymentOptions> = {}) =>
  objectOf("Deployment", `aro-operator-${role}`, change);
const podOf = (...of: Parameters<typeof deploymentOf>) =>
  valueAt(deploymentOf(...of), "spec", "template", "spec");
const containerOf = (...of: Parameters<typeof deploymentOf>) => listAt(podOf(...of), "containers")[0];
const envOf = (...of: Parameters<typeof deploymentOf>) =>
  new Map(listAt(containerOf(...of), "env").map((each) => [stringAt(each, "name"), each]));

test("the operator's namespace is monitored and its pods run on all nodes", () => {
  const { metadata } = objectOf("Namespace", "openshift-azure-operator");
  assert.deepEqual(metadata.labels, { "openshift.io/cluster-monitoring": "true" });
  assert.deepEqual(metadata.annotations, { "openshift.io/node-selector": "" });
});

test("both kinds of the operator are defined", () => {
  objectOf("CustomResourceDefinition", "clusters.aro.openshift.io");
  objectOf("CustomResourceDefinition", "previewfeatures.preview.aro.openshift.io");
});

test("the master's metrics are found by the cluster's Prometheus", () => {
  const name = "aro-operator-master";
  const service = objectOf("Service", name);
  assert.deepEqual(service.metadata.labels, { name });
  assert.deepEqual(valueAt(service, "spec", "selector"), { app: name });
  const ports = listAt(service, "spec", "ports").map((each) => [
    valueAt(each, "name"),
    valueAt(each, "port"),
  ]);
  assert.deepEqual(ports, [
    ["http", 8080],
    ["http-metrics", 8888],
  ]);
  assert.deepEqual(objectOf("ServiceMonitor", name).spec, {
    selector: { matchLabels: { name } },
    endpoints: [{ port: "http-metrics" }],
  });
  assert.deepEqual(objectOf("Role", "prometheus-k8s").rules, [
    { apiGroups: [""], resources: ["services", "endpoints", "pods"], verbs: ["get", "list", "watch"] },
  ]);
  assert.deepEqual(objectOf("RoleBinding", "prometheus-k8s").subjects, [
    { kind: "ServiceAccount", name: "prometheus-k8s", namespace: "openshift-monitoring" },
  ]);
});

test("who reads the cluster's Prometheus may find its replicas and connect to them, and nothing else", () => {
  const name = "aro-prometheus-reader";
  const namespace = "openshift-monitoring";
  const role = objectOf("Role", name);
  assert.equal(role.metadata.namespace, namespace);
  const replicas = ["prometheus-k8s-0", "prometheus-k8s-1"];
  assert.deepEqual(role.rules, [
    { apiGroups: [""], resources: ["pods"], verbs: ["list"] },
    {
      apiGroups: [""],
      resources: ["pods/portforward"],
      resourceNames: replicas,
      verbs: ["get", "create"],
    },
  ]);
  const binding = objectOf("RoleBinding", name);
  assert.equal(binding.metadata.namespace, namespace);
  assert.deepEqual(binding.subjects, [
    { kind: "ServiceAccount", name, namespace: "openshift-azure-operator" },
  ]);
});

test("the credentials request is one that the cloud credential operator cleans up", () => {
  const { metadata, spec } = objectOf("CredentialsRequest", "openshift-azure-operator");
  assert.equal(metadata.namespace, "openshift-cloud-credential-operator");
  assert.deepEqual(metadata.finalizers, ["cloudcredential.openshift.io/deprovision"]);
  assert.deepEqual(metadata.labels, { "controller-tools.k8s.io": "1.0" });
  assert.deepEqual(metadata.annotations, {
    "exclude.release.openshift.io/internal-openshift-hosted": "true",
    "include.release.openshift.io/self-managed-high-availability": "true",
  });
  assert.equal(listAt(spec, "providerSpec", "permissions").length, 10);
  assert.deepEqual(valueAt(spec, "serviceAccountNames"), ["aro-operator-master"]);
});

for (const role of ["master", "worker"] as const) {
  test(`the ${role}'s pod runs where and as it should`, () => {
    const name = `aro-operator-${role}`;
    const deployment = deploymentOf(role);
    assert.deepEqual(deployment.metadata.labels, { app: name, version: "v1" });
    assert.deepEqual(valueAt(deployment, "spec", "strategy"), {
      type: "RollingUpdate",
      rollingUpdate: { maxSurge: 1, maxUnavailable: 0 },
    });
    const pod = podOf(role);
    assert.equal(valueAt(pod, "serviceAccountName"), name);
    assert.equal(valueAt(pod, "priorityClassName"), "system-cluster-critical");
    assert.deepEqual(valueAt(pod, "nodeSelector"), { [`node-role.kubernetes.io/${role}`]: "" });
    assert.deepEqual(valueAt(pod, "tolerations"), [
      { effect: "NoExecute", operator: "Exists" },
      { effect: "NoSchedule", operator: "Exists" },
    ]);
    const container = containerOf(role);
    assert.equal(valueAt(container, "name"), "aro-operator");
    assert.deepEqual(valueAt(container, "command"), ["keelson"]);
    assert.deepEqual(valueAt(container, "args"), ["operator", role]);
    const httpGet = { path: "/healthz/ready", port: 8080 };
    assert.deepEqual(valueAt(container, "livenessProbe"), { httpGet });
    const startup = { httpGet, periodSeconds: 5, failureThreshold: 120 };
    assert.deepEqual(valueAt(container, "startupProbe"), startup);
    const memory = role === "master" ? "250Mi" : "100Mi";
    assert.deepEqual(valueAt(container, "resources"), { requests: { cpu: "10m", memory } });
    const fields = ["POD_NAME", "POD_NAMESPACE", "NODE_NAME"].map((variable) =>
      stringAt(envOf(role).get(variable), "valueFrom", "fieldRef", "fieldPath"),
    );
    assert.deepEqual(fields, ["metadata.name", "metadata.namespace", "spec.nodeName"]);
    const memoryOptions = ["NODE_OPTIONS", "MALLOC_ARENA_MAX", "MALLOC_TRIM_THRESHOLD_"];
    assert.deepEqual(
      memoryOptions.map((variable) => stringAt(envOf(role).get(variable), "value")),
      ["--max-semi-space-size=2", "1", "65536"],
    );
    assert.deepEqual(objectOf("PodDisruptionBudget", name).spec, {
      maxUnavailable: 1,
      selector: { matchLabels: { app: name } },
    });
  });

  test(`the ${role}'s pod asks for no more than Pod Security's restricted level allows, from 4.11 on`, () => {
    assert.deepEqual(valueAt(containerOf(role), "securityContext"), {
      allowPrivilegeEscalation: false,
      capabilities: { drop: ["ALL"] },
      runAsNonRoot: true,
      seccompProfile: { type: "RuntimeDefault" },
    });
    assert.deepEqual(valueAt(podOf(role), "securityContext"), {
      runAsNonRoot: true,
      seccompProfile: { type: "RuntimeDefault" },
    });
    const old = { supportsPodSecurity: false };
    assert.equal(valueAt(containerOf(role, old), "securityContext"), undefined);
    assert.equal(valueAt(podOf(role, old), "securityContext"), undefined);
  });
}

const keyOf = (env: unknown) => stringAt(env, "valueFrom", "secretKeyRef", "key");

test("the master signs in to Azure with the cluster's service principal", () => {
  const env = envOf("master");
  assert.equal(keyOf(env.get("AZURE_CLIENT_ID")), "azure_client_id");
  assert.equal(keyOf(env.get("AZURE_TENANT_ID")), "azure_tenant_id");
  assert.equal(keyOf(env.get("AZURE_CLIENT_SECRET")), "azure_client_secret");
  assert.equal(stringAt(env.get("AZURE_TOKEN_CREDENTIALS"), "value"), "EnvironmentCredential");
  assert.ok(!env.has("AZURE_FEDERATED_TOKEN_FILE"));
  assert.equal(valueAt(podOf("master"), "volumes"), undefined);
});

test("with managed identities the master signs in with a token of its account", () => {
  const change = { usesWorkloadIdentity: true };
  const env = envOf("master", change);
  assert.equal(keyOf(env.get("AZURE_CLIENT_ID")), "azure_client_id");
  assert.equal(keyOf(env.get("AZURE_TENANT_ID")), "azure_tenant_id");
  assert.ok(!env.has("AZURE_CLIENT_SECRET"));
  assert.equal(stringAt(env.get("AZURE_TOKEN_CREDENTIALS"), "value"), "WorkloadIdentityCredential");
  assert.equal(
    stringAt(env.get("AZURE_FEDERATED_TOKEN_FILE"), "value"),
    "/var/run/secrets/openshift/serviceaccount/token",
  );
  assert.deepEqual(valueAt(containerOf("master", change), "volumeMounts"), [
    { name: "bound-sa-token", mountPath: "/var/run/secrets/openshift/serviceaccount", readOnly: true },
  ]);
  assert.deepEqual(valueAt(podOf("master", change), "volumes"), [
    {
      name: "bound-sa-token",
      projected: {
        defaultMode: 420,
        sources: [{ serviceAccountToken: { audience: "openshift", expirationSeconds: 3600, path: "token" } }],
      },
    },
  ]);
});

test("the worker has no credentials of Azure", () => {
  for (const usesWorkloadIdentity of [false, true]) {
    const names = [...envOf("worker", { usesWorkloadIdentity }).keys()];
    assert.deepEqual(
      names.filter((name) => name?.startsWith("AZURE_")),
      [],
    );
    assert.equal(valueAt(podOf("worker", { usesWorkloadIdentity }), "volumes"), undefined);
  }
});

test("in a custom cloud both pods have its endpoints and trust its CA certificates", () => {
  const cloud = {
    armEndpoint: "https://arm.example",
    loginEndpoint: "https://login.example",
    audience: "https://arm.example/",
    graphEndpoint: "https://graph.example",
    caPem: "PEM",
  };
  assert.deepEqual(objectOf("ConfigMap", "azure-ca-bundle", { cloud }).data, { "ca-bundle.crt": "PEM" });
  for (const role of ["master", "worker"] as const) {
    const env = envOf(role, { cloud });
    assert.equal(stringAt(env.get("AZURE_AUTHORITY_HOST"), "value"), "https://login.example");
    assert.equal(stringAt(env.get("AZURE_RESOURCE_MANAGER_ENDPOINT"), "value"), "https://arm.example");
    assert.equal(stringAt(env.get("AZURE_RESOURCE_MANAGER_AUDIENCE"), "value"), "https://arm.example/");
    assert.equal(stringAt(env.get("AZURE_GRAPH_ENDPOINT"), "value"), "https://graph.example");
    const file = stringAt(env.get("AZURE_CA_FILE"), "value");
    assert.equal(file, "/etc/pki/ca-trust/keelson/ca-bundle.crt");
    assert.deepEqual(listAt(containerOf(role, { cloud }), "volumeMounts"), [
      { name: "azure-ca-bundle", mountPath: "/etc/pki/ca-trust/keelson", readOnly: true },
    ]);
  }
  const { caPem: _, graphEndpoint: __, ...trusted } = cloud;
  for (const name of ["AZURE_CA_FILE", "AZURE_GRAPH_ENDPOINT"])
    assert.ok(!envOf("worker", { cloud: trusted }).has(name), name);
});
