import { type Fields, type KubeResource, objectFields } from "@keelson/kube";

const conditions = { type: true, status: true, message: true };

/** Fields that collectors read. The keys have the form `plural.group`. The parser discards all other fields. */
const fieldsByResource: Readonly<Record<string, Fields>> = {
  "nodes.": objectFields({
    metadata: {
      labels: {
        "node-role.kubernetes.io/master": true,
        "node-role.kubernetes.io/worker": true,
        "node-role.kubernetes.io/infra": true,
      },
      annotations: { "machine.openshift.io/machine": true },
    },
    status: { conditions, nodeInfo: { kubeletVersion: true } },
  }),
  "pods.": objectFields({
    spec: { nodeName: true },
    status: {
      phase: true,
      reason: true,
      conditions,
      containerStatuses: {
        name: true,
        restartCount: true,
        state: { waiting: { reason: true, message: true } },
        lastState: { terminated: { reason: true } },
      },
    },
  }),
  "secrets.": objectFields({ data: { "tls.crt": true } }),
  "deployments.apps": objectFields({
    metadata: { generation: true, labels: { version: true } },
    spec: { replicas: true },
    status: { replicas: true, availableReplicas: true, updatedReplicas: true, observedGeneration: true },
  }),
  "daemonsets.apps": objectFields({ status: { desiredNumberScheduled: true, numberAvailable: true } }),
  "machines.machine.openshift.io": objectFields({
    metadata: {
      labels: {
        "machine.openshift.io/cluster-api-machine-role": true,
        "machine.openshift.io/cluster-api-machineset": true,
      },
    },
    spec: { providerSpec: { value: { spotVMOptions: true } } },
    status: { phase: true },
  }),
  "machineconfigpools.machineconfiguration.openshift.io": objectFields({
    status: { conditions, machineCount: true },
  }),
  "clusterversions.config.openshift.io": objectFields({
    spec: { desiredUpdate: { version: true } },
    status: { conditions, desired: { version: true }, history: { state: true, version: true } },
  }),
  "clusteroperators.config.openshift.io": objectFields({
    status: { conditions, versions: { name: true, version: true } },
  }),
  "proxies.config.openshift.io": objectFields({
    spec: { httpProxy: true, httpsProxy: true, noProxy: true },
    status: { noProxy: true },
  }),
  "networks.config.openshift.io": objectFields({
    spec: { networkType: true, serviceNetwork: true, clusterNetwork: { cidr: true } },
    status: { clusterNetworkMTU: true },
  }),
  "infrastructures.config.openshift.io": objectFields({ status: { apiServerInternalURI: true } }),
  "dnses.operator.openshift.io": objectFields({ spec: { servers: { name: true } } }),
  "ingresscontrollers.operator.openshift.io": objectFields({ spec: { defaultCertificate: { name: true } } }),
  "clusters.aro.openshift.io": objectFields({
    metadata: { annotations: { "aro.openshift.io/lastSubnetReconcileTimestamp": true } },
    spec: { operatorflags: true, banner: { content: true }, gatewayDomains: true, domain: true },
    status: { conditions },
  }),
  "virtualmachineinstances.kubevirt.io": objectFields({
    metadata: { labels: { os: true, workload: true, flavor: true } },
    status: {
      phase: true,
      guestOSInfo: { kernelRelease: true, machine: true, name: true, versionId: true },
    },
  }),
};

/**
 * Returns the fields of a resource.
 * @throws Error if the resource has no entry
 */
export function fieldsOf({ plural, group }: KubeResource): Fields {
  const fields = fieldsByResource[`${plural}.${group}`];
  if (fields === undefined) throw new Error(`no fields of ${plural}.${group} are declared`);
  return fields;
}
