/** Responses of a cluster with six nodes. They are as large as real responses and contain managed fields. */
export type Content = ReadonlyMap<string, ContentList | object>;

/** Objects that the stub returns for one path, in pages. */
export interface ContentList {
  readonly kind: string;
  readonly apiVersion: string;
  readonly items: readonly object[];
}

export function isList(content: object): content is ContentList {
  return "items" in content;
}

const masters = 3;
const workers = 3;
/** Number of pods by namespace in a cluster without workloads, including completed pods. */
const podsIn: Readonly<Record<string, number>> = {
  "openshift-apiserver": 3,
  "openshift-azure-logging": 6,
  "openshift-azure-operator": 2,
  "openshift-etcd": 24,
  "openshift-ingress": 2,
  "openshift-kube-apiserver": 30,
  "openshift-machine-config-operator": 14,
  "openshift-machine-api": 5,
  "openshift-monitoring": 24,
};
/** Number of completed pods among these pods: installer and pruner pods of static pods. */
const completedIn: Readonly<Record<string, number>> = {
  "openshift-etcd": 15,
  "openshift-kube-apiserver": 21,
};
const operators = 33;

export function clusterContent(): Content {
  const nodes = Array.from({ length: masters + workers }, (_, at) => node(at));
  const machineOf = (at: number) => machine(at);
  const content = new Map<string, ContentList | object>([
    ["/api/v1/nodes", list("v1", "Node", nodes)],
    [
      "/apis/machine.openshift.io/v1beta1/namespaces/openshift-machine-api/machines",
      list(
        "machine.openshift.io/v1beta1",
        "Machine",
        nodes.map((_, at) => machineOf(at)),
      ),
    ],
    [
      "/apis/config.openshift.io/v1/clusteroperators",
      list(
        "config.openshift.io/v1",
        "ClusterOperator",
        Array.from({ length: operators }, (_, at) => operator(at)),
      ),
    ],
    [
      "/apis/machineconfiguration.openshift.io/v1/machineconfigpools",
      list("machineconfiguration.openshift.io/v1", "MachineConfigPool", ["master", "worker"].map(pool)),
    ],
    [
      "/apis/apps/v1/namespaces/openshift-azure-operator/deployments",
      list(
        "apps/v1",
        "Deployment",
        ["master", "worker"].map((role) => workload(`aro-operator-${role}`)),
      ),
    ],
    [
      "/apis/apps/v1/namespaces/openshift-azure-logging/daemonsets",
      list(
        "apps/v1",
        "DaemonSet",
        ["master", "worker"].map((role) => workload(`otel-exporter-${role}`)),
      ),
    ],
    ["/apis/config.openshift.io/v1/clusterversions/version", clusterVersion()],
    ["/apis/aro.openshift.io/v1alpha1/clusters/cluster", aroCluster()],
    ["/apis/config.openshift.io/v1/networks/cluster", network()],
    ["/apis/config.openshift.io/v1/proxies/cluster", managed({ metadata: meta("cluster"), spec: {} })],
  ]);
  for (const [namespace, count] of Object.entries(podsIn)) {
    const running = count - (completedIn[namespace] ?? 0);
    const pods = Array.from({ length: count }, (_, at) =>
      pod(namespace, at, at < running ? "Running" : "Succeeded"),
    );
    content.set(`/api/v1/namespaces/${namespace}/pods`, list("v1", "Pod", pods));
  }
  return content;
}

function list(apiVersion: string, kind: string, items: readonly object[]): ContentList {
  return { apiVersion, kind: `${kind}List`, items };
}

function meta(name: string, more: object = {}): object {
  return {
    name,
    uid: "6f1b7a52-4f3a-4c0e-9d0c-0d5a1a7b8c9d",
    resourceVersion: "123456789",
    generation: 4,
    creationTimestamp: "2026-01-01T00:00:00Z",
    ...more,
  };
}

/** Adds managed fields to an object, like the API server. */
function managed<T extends { readonly metadata: object }>(object: T): T {
  const { status, ...wanted } = object as T & { readonly status?: object };
  const written = { "cluster-operator": wanted, kubelet: { status } };
  const managers = Object.entries(written).map(([manager, part]) => ({
    manager,
    operation: "Update",
    apiVersion: "v1",
    time: "2026-01-01T00:00:00Z",
    fieldsType: "FieldsV1",
    fieldsV1: fieldsOf(part),
  }));
  const metadata = { ...object.metadata, managedFields: managers };
  return { apiVersion: "v1", kind: "Any", ...object, metadata };
}

function fieldsOf(value: unknown): object {
  if (Array.isArray(value)) {
    return Object.fromEntries(
      value.map((each, at) => [`k:{"name":"${at}"}`, { ".": {}, ...fieldsOf(each) }]),
    );
  }
  if (typeof value !== "object" || value === null) return {};
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [`f:${name}`, fieldsOf(each)]));
}

function conditions(statuses: Readonly<Record<string, string>>): readonly object[] {
  return Object.entries(statuses).map(([type, status]) => ({
    type,
    status,
    lastHeartbeatTime: "2026-01-01T00:00:00Z",
    lastTransitionTime: "2026-01-01T00:00:00Z",
    reason: `${type}IsAsExpected`,
    message: `a sentence or two that says why the condition ${type} is as it is on this object`,
  }));
}

const roleOf = (at: number) => (at < masters ? "master" : "worker");

function node(at: number): object {
  const role = roleOf(at);
  const images = Array.from({ length: 50 }, (_, image) => ({
    names: [`quay.io/openshift-release-dev/ocp-v4.0-art-dev@sha256:${`${image}`.padStart(64, "a")}`],
    sizeBytes: 500_000_000,
  }));
  return managed({
    metadata: meta(`node-${at}`, {
      labels: { [`node-role.kubernetes.io/${role}`]: "", "kubernetes.io/os": "linux" },
      annotations: { "machine.openshift.io/machine": `openshift-machine-api/machine-${at}` },
    }),
    spec: { providerID: `azure:///subscriptions/s/vm/${at}` },
    status: {
      capacity: { cpu: "8", memory: "32Gi", pods: "250" },
      conditions: conditions({
        DiskPressure: "False",
        MemoryPressure: "False",
        PIDPressure: "False",
        Ready: "True",
      }),
      nodeInfo: { kubeletVersion: "v1.32.7", osImage: "Red Hat Enterprise Linux CoreOS" },
      images,
    },
  });
}

function machine(at: number): object {
  return managed({
    metadata: meta(`machine-${at}`, {
      namespace: "openshift-machine-api",
      labels: {
        "machine.openshift.io/cluster-api-machine-role": roleOf(at),
        "machine.openshift.io/cluster-api-machineset": "worker-1",
      },
    }),
    spec: {
      providerSpec: {
        value: { vmSize: "Standard_D8s_v5", tags: {}, networkResourceGroup: "g", subnet: "s" },
      },
    },
    status: { phase: "Running", conditions: conditions({ Drainable: "True", InstanceExists: "True" }) },
  });
}

function operator(at: number): object {
  const relatedObjects = Array.from({ length: 12 }, (_, related) => ({
    group: "operator.openshift.io",
    resource: "namespaces",
    name: `openshift-related-${at}-${related}`,
  }));
  return managed({
    metadata: meta(`operator-${at}`),
    spec: {},
    status: {
      conditions: conditions({
        Available: "True",
        Degraded: "False",
        Progressing: "False",
        Upgradeable: "True",
        EvaluationConditionsDetected: "False",
      }),
      versions: [{ name: "operator", version: "4.19.24" }],
      relatedObjects,
    },
  });
}

function pool(name: string): object {
  const source = Array.from({ length: 12 }, (_, at) => ({ kind: "MachineConfig", name: `99-${name}-${at}` }));
  return managed({
    metadata: meta(name),
    spec: { configuration: { name: `rendered-${name}`, source } },
    status: {
      machineCount: 3,
      configuration: { name: `rendered-${name}`, source },
      conditions: conditions({
        Degraded: "False",
        NodeDegraded: "False",
        Updated: "True",
        Updating: "False",
      }),
    },
  });
}

function podSpec(): object {
  const container = (name: string) => ({
    name,
    image: `quay.io/openshift-release-dev/ocp-v4.0-art-dev@sha256:${"b".repeat(64)}`,
    command: ["/bin/bash", "-c", "exec program --config=/etc/config.yaml --v=2"],
    env: Array.from({ length: 8 }, (_, at) => ({ name: `VARIABLE_${at}`, value: "a value of some length" })),
    resources: { requests: { cpu: "10m", memory: "50Mi" } },
    volumeMounts: Array.from({ length: 5 }, (_, at) => ({
      name: `volume-${at}`,
      mountPath: `/etc/volume-${at}`,
    })),
  });
  return {
    containers: ["main", "kube-rbac-proxy", "reloader"].map(container),
    volumes: Array.from({ length: 5 }, (_, at) => ({
      name: `volume-${at}`,
      secret: { secretName: `s-${at}` },
    })),
    nodeName: "node-1",
    tolerations: [{ operator: "Exists" }],
  };
}

function pod(namespace: string, at: number, phase: "Running" | "Succeeded"): object {
  return managed({
    metadata: meta(`pod-${at}`, { namespace, labels: { app: "openshift" } }),
    spec: podSpec(),
    status: {
      phase,
      conditions: conditions({
        ContainersReady: "True",
        Initialized: "True",
        PodScheduled: "True",
        Ready: "True",
      }),
      containerStatuses: ["main", "kube-rbac-proxy", "reloader"].map((name) => ({
        name,
        ready: true,
        restartCount: 1,
        state: { running: { startedAt: "2026-01-01T00:00:00Z" } },
        imageID: `quay.io/openshift-release-dev/ocp-v4.0-art-dev@sha256:${"c".repeat(64)}`,
      })),
    },
  });
}

function workload(name: string): object {
  return managed({
    metadata: meta(name, { labels: { version: "1" } }),
    spec: { replicas: 1, template: { spec: podSpec() } },
    status: {
      observedGeneration: 4,
      replicas: 1,
      updatedReplicas: 1,
      availableReplicas: 1,
      desiredNumberScheduled: 3,
      numberAvailable: 3,
    },
  });
}

function clusterVersion(): object {
  const history = Array.from({ length: 10 }, (_, at) => ({
    state: "Completed",
    version: `4.19.${24 - at}`,
    image: `quay.io/openshift-release-dev/ocp-release@sha256:${"d".repeat(64)}`,
  }));
  return managed({
    metadata: meta("version"),
    spec: { channel: "stable-4.19" },
    status: {
      desired: { version: "4.19.24" },
      history,
      conditions: conditions({
        Available: "True",
        Failing: "False",
        Progressing: "False",
        Upgradeable: "True",
      }),
    },
  });
}

function aroCluster(): object {
  const controllers = Array.from({ length: 25 }, (_, at) => `Subject${at}Controller`);
  const ok = controllers.flatMap((name) => [
    [`${name}Available`, "True"],
    [`${name}Progressing`, "False"],
    [`${name}Degraded`, "False"],
  ]);
  return managed({
    metadata: meta("cluster"),
    spec: { operatorflags: {}, location: "eastus" },
    status: { conditions: conditions(Object.fromEntries(ok)) },
  });
}

function network(): object {
  return managed({
    metadata: meta("cluster"),
    spec: { networkType: "OVNKubernetes", clusterNetwork: [{ cidr: "10.128.0.0/14" }], serviceNetwork: [] },
    status: { clusterNetworkMTU: 1_400 },
  });
}
