import { type KubeResource, type ObjectKey, resources } from "@keelson/kube";
import { customerTexts, withText } from "./customer-objects.ts";
import type { TestCluster } from "./test-cluster.ts";

/** Invalid customer object, and the condition of the Cluster that reports it. */
export interface HostileCase {
  readonly name: string;
  readonly spoil: (cluster: TestCluster) => Promise<unknown>;
  readonly type: string;
  readonly status?: "True" | "False";
  readonly message: RegExp;
  /** Further controllers that become Degraded because of the object. */
  readonly others?: readonly string[];
}

const machineApi = "openshift-machine-api";
const spec = (resource: KubeResource, key: ObjectKey, value: unknown) => (cluster: TestCluster) =>
  cluster.api.jsonPatch(resource, key, [{ op: "add", path: "/spec", value }], cluster.signal);
const text = (member: string, content: string | Buffer) => (cluster: TestCluster) =>
  Promise.all(
    customerTexts
      .filter((each) => each.member === member)
      .map((each) => cluster.put(each.resource, withText(each, Buffer.from(content)))),
  );
const manyKeys = Array.from({ length: 100_000 }, (_, at) => `${at}:\n`)
  .join("")
  .padEnd(600_000, "#\n");
const master = { namespace: machineApi, name: "demo-x1x2x-master-0" };

export const hostileCases: readonly HostileCase[] = [
  {
    name: "a pull secret of the service that is no JSON",
    spoil: text(".dockerconfigjson", '{"auths":'),
    type: "PullSecretControllerDegraded",
    message: /^Secret openshift-azure-operator\/cluster: \.dockerconfigjson is not a JSON object with auths$/,
  },
  {
    name: "keys of registries that are a list",
    spoil: text(".dockerconfigjson", '{"auths":[7]}'),
    type: "PullSecretControllerDegraded",
    message: /is not a JSON object with auths$/,
  },
  {
    name: "a cloud provider's configuration that is nested without end",
    spoil: text("config", `{"a":${"[".repeat(100_000)}`),
    type: "CloudProviderConfigControllerDegraded",
    message: /is not a JSON object$/,
  },
  {
    name: "Alertmanager's configuration that ends too early",
    spoil: text("alertmanager.yaml", "receivers: ["),
    type: "AlertwebhookControllerDegraded",
    message: /^alertmanager\.yaml in Secret openshift-monitoring\/alertmanager-main /,
  },
  {
    name: "Alertmanager's configuration of 600,000 characters",
    spoil: text("alertmanager.yaml", manyKeys),
    type: "AlertwebhookControllerDegraded",
    message: /is longer than 524288 bytes$/,
  },
  {
    name: "a configuration of the monitoring of 600,000 characters",
    spoil: text("config.yaml", manyKeys),
    type: "MonitoringControllerDegraded",
    message:
      /^config\.yaml in ConfigMap openshift-monitoring\/cluster-monitoring-config is longer than 524288 bytes$/,
  },
  {
    name: "a pull secret with 20,000 registries that are none",
    spoil: text(".dockerconfigjson", `{"auths":[${"{},".repeat(20_000)}{}]}`),
    type: "PullSecretControllerDegraded",
    message: /is not a JSON object with auths$/,
  },
  {
    name: "both lists of registries",
    spoil: spec(
      resources.configImages,
      { name: "cluster" },
      { registrySources: { allowedRegistries: [], blockedRegistries: [] } },
    ),
    type: "ImageConfigControllerDegraded",
    message: /^both AllowedRegistries and BlockedRegistries are present$/,
  },
  {
    name: "a cloud that is not known",
    spoil: ({ configure }) => configure({ azEnvironment: "AzureChinaCloud" }),
    type: "ImageConfigControllerDegraded",
    message: /^spec\.azEnvironment of the Cluster is 'AzureChinaCloud'/,
  },
  {
    name: "a machine of another provider",
    spoil: spec(resources.machines, master, {
      providerSpec: {
        value: { apiVersion: "machine.openshift.io/v1beta1", kind: "AWSMachineProviderConfig" },
      },
    }),
    type: "MachineValid",
    status: "False",
    message: /^machine demo-x1x2x-master-0: failed to read provider spec/,
  },
  {
    name: "a machine without a provider",
    spoil: spec(resources.machines, master, { providerSpec: null }),
    type: "MachineValid",
    status: "False",
    message: /^machine demo-x1x2x-master-0: provider spec missing\n/,
  },
  {
    name: "a machine's provider of 200,000 characters",
    spoil: spec(resources.machines, master, { providerSpec: { value: { kind: "x".repeat(200_000) } } }),
    type: "MachineValid",
    status: "False",
    message: /^machine demo-x1x2x-master-0: failed to read provider spec/,
  },
  {
    name: "machine sets without replicas",
    spoil: async (cluster) => {
      for (const zone of [1, 2])
        await spec(
          resources.machineSets,
          { namespace: machineApi, name: `demo-x1x2x-worker-eastus${zone}` },
          { replicas: null },
        )(cluster);
    },
    type: "MachineValid",
    status: "False",
    message: /expected 2\n$/,
  },
];
