import { type AroCluster, type ClusterSpec, clusters, defaultOperatorFlags } from "@keelson/aro-api";
import { aroDefinitions } from "@keelson/aro-api/manifests";
import { type KubeResource, resources } from "@keelson/kube";
import { type KitCluster, kitServers } from "@keelson/operator-kit/testing";
import { createTestOperator, type TestOperator, type TestOperatorOptions } from "./test-operator.ts";

/** API server of one test file. It contains the Cluster `cluster`. */
export interface TestCluster extends KitCluster {
  /** Merges `spec` into the Cluster's specification, and `operatorflags` into its default flags. */
  configure(spec: ClusterSpec): Promise<AroCluster>;
  /**
   * Runs controllers with this server. By default, their client has the administrator's credentials. The options can set a
   * different client for the controllers.
   */
  start(options: TestOperatorOptions): Promise<TestOperator>;
}

export interface TestClusterOptions {
  /** Additional kinds that the server serves, for example OpenShift's. aro.openshift.io is always served. */
  readonly kinds: readonly KubeResource[];
  readonly spec?: ClusterSpec;
  /** True if the schemas of these kinds accept any value, to simulate an unknown release. */
  readonly anySchema?: boolean;
}

/** API servers for controller tests: the API server of this repository and, if available, a real kube-apiserver. */
export const testServers = kitServers.map(({ name, start }) => ({
  name,
  start: async ({ kinds, spec = {}, anySchema = false }: TestClusterOptions) =>
    withCluster(await start({ kinds, anySchema, definitions: aroDefinitions }), spec),
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

async function withCluster(server: KitCluster, spec: ClusterSpec): Promise<TestCluster> {
  const { api, signal } = server;
  const operators: TestOperator[] = [];
  const cluster: TestCluster = {
    ...server,
    configure: (patch) => api.mergePatch(clusters, { name: "cluster" }, { spec: patch }, signal),
    async start(options) {
      const operator = createTestOperator(cluster, options);
      operators.push(operator);
      await operator.ready();
      return operator;
    },
    async [Symbol.asyncDispose]() {
      for (const operator of operators) await operator[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
  await cluster.put(resources.namespaces, { metadata: { name: "openshift-azure-operator" } });
  await cluster.put(clusters, { metadata: { name: "cluster" }, spec: { ...exampleSpec, ...spec } });
  return cluster;
}
