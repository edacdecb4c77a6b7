import { setTimeout as delay } from "node:timers/promises";
import { type AroCluster, type ClusterSpec, clusters, defaultOperatorFlags } from "@keelson/aro-api";
import { aroDefinitions } from "@keelson/aro-api/manifests";
import { apiServers, type TestApiServer } from "@keelson/controller/testing";
import {
  conditionOf,
  connectKube,
  type KubeClient,
  type KubeObject,
  type KubeResource,
  listAt,
  resources,
  valueAt,
} from "@keelson/kube";
import { eventually, openShiftCrds } from "@keelson/sim-openshift/testing";
import { createTestOperator, type TestOperator, type TestOperatorOptions } from "./test-operator.ts";

/** One API server of a test file, with the Cluster `cluster` on it. */
export interface TestCluster extends AsyncDisposable {
  /** As administrator. */
  readonly api: KubeClient;
  readonly kubeconfig: string;
  /** Of a user with the rights that roles give, for example a service account. */
  kubeconfigOf(userName: string): Promise<string>;
  readonly signal: AbortSignal;
  /** Creates or merges; a status goes through its subresource. Missing namespaces are created. */
  put(
    resource: KubeResource,
    object: Partial<KubeObject> & Pick<KubeObject, "metadata">,
  ): Promise<KubeObject>;
  /** Merges into the Cluster's specification; `operatorflags` into the default flags. */
  configure(spec: ClusterSpec): Promise<AroCluster>;
  /** Runs controllers against it, as administrator unless the options have another API. */
  start(options: TestOperatorOptions): Promise<TestOperator>;
  /** Waits until `check` throws no more. */
  eventually<T>(check: () => T | Promise<T>): Promise<T>;
}

export interface TestClusterOptions {
  /** Kinds of OpenShift, and of others, that the server serves besides its own and those of aro.openshift.io. */
  readonly kinds: readonly KubeResource[];
  readonly spec?: ClusterSpec;
  /** With schemas that take anything for those kinds, as releases of which we know nothing may have. */
  readonly anySchema?: boolean;
}

/** What tests of controllers run against: this repository's API server, and a real one where there is one. */
export const testServers = apiServers.map(({ name, start }) => ({
  name,
  start: async (options: TestClusterOptions) => startTestCluster(await start(), options),
}));

export const exampleSpec: ClusterSpec = {
  resourceId:
    "/subscriptions/00000000-0000-0000-0000-000000000001/resourceGroups/customer/providers/Microsoft.RedHatOpenShift/openShiftClusters/demo",
  clusterResourceGroupId: "/subscriptions/00000000-0000-0000-0000-000000000001/resourceGroups/aro-demo",
  domain: "demo.eastus.example.com",
  acrDomain: "arosvc.example.io",
  azEnvironment: "AzurePublicCloud",
  location: "eastus",
  infraId: "demo-x1x2x",
  storageSuffix: "abc123",
  architectureVersion: 1,
  apiIntIP: "10.0.0.4",
  ingressIP: "203.0.113.10",
  operatorflags: { ...defaultOperatorFlags },
};

async function startTestCluster(
  server: TestApiServer,
  { kinds, spec = {}, anySchema = false }: TestClusterOptions,
): Promise<TestCluster> {
  const signal = AbortSignal.timeout(300_000);
  const api = connectKube({ kubeconfig: server.kubeconfig, userAgent: "test/1", fieldManager: "test" });
  const operators: TestOperator[] = [];
  await serve(api, kinds, anySchema, signal);
  await namespace(api, "openshift-azure-operator", signal);
  const cluster: TestCluster = {
    api,
    kubeconfig: server.kubeconfig,
    kubeconfigOf: (userName) => server.kubeconfigOf(userName),
    signal,
    async put(resource, { status, ...object }) {
      const { name, namespace: within } = object.metadata;
      if (within !== undefined) await namespace(api, within, signal);
      const whole = { apiVersion: "", kind: "", ...object };
      whole.apiVersion = resource.group === "" ? resource.version : `${resource.group}/${resource.version}`;
      whole.kind = resource.kind;
      await api.ensure(resource, whole, signal);
      const key = within === undefined ? { name } : { name, namespace: within };
      return status === undefined
        ? api.get(resource, key, signal)
        : api.mergePatch(resource, key, { status }, signal, "status");
    },
    configure: (patch) => api.mergePatch(clusters, { name: "cluster" }, { spec: patch }, signal),
    async start(options) {
      const operator = createTestOperator(cluster, options);
      operators.push(operator);
      await operator.ready();
      return operator;
    },
    eventually,
    async [Symbol.asyncDispose]() {
      for (const operator of operators) await operator[Symbol.asyncDispose]();
      await api[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
  await cluster.put(clusters, { metadata: { name: "cluster" }, spec: { ...exampleSpec, ...spec } });
  return cluster;
}

async function serve(
  api: KubeClient,
  kinds: readonly KubeResource[],
  anySchema: boolean,
  signal: AbortSignal,
): Promise<void> {
  const names = new Set(kinds.map(({ plural, group }) => `${plural}.${group}`));
  const released = openShiftCrds("Default").filter(({ metadata }) => names.has(metadata.name ?? ""));
  const missing = [...names].filter((name) => !released.some(({ metadata }) => metadata.name === name));
  if (missing.length > 0) throw new Error(`no CustomResourceDefinition of ${missing.join(", ")}`);
  const others = released as unknown as readonly KubeObject[];
  const definitions = [...aroDefinitions, ...(anySchema ? others.map(withAnySchema) : others)];
  for (const definition of definitions)
    await api.ensure(resources.customResourceDefinitions, definition, signal);
  for (const { metadata } of definitions)
    while (
      conditionOf(await api.get(resources.customResourceDefinitions, metadata, signal), "Established") !==
      "True"
    )
      await delay(20);
}

function withAnySchema(definition: KubeObject): KubeObject {
  const openAPIV3Schema = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  const versions = listAt(definition, "spec", "versions").map((each) => ({
    ...(each as object),
    schema: { openAPIV3Schema },
    // Without that of scaling, which asks for types of its own.
    subresources: valueAt(each, "subresources", "status") ? { status: {} } : {},
  }));
  return { ...definition, spec: { ...(definition.spec as object), versions } };
}

async function namespace(api: KubeClient, name: string, signal: AbortSignal): Promise<void> {
  await api.ensure(resources.namespaces, { apiVersion: "v1", kind: "Namespace", metadata: { name } }, signal);
}
