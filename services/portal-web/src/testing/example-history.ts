import type {
  Actions,
  Activity,
  Info,
  Maintenance,
  OperationView,
  Recordings,
  Regions,
  Sessions,
} from "@keelson/portal-api";

export const exampleInfo: Info = {
  location: "westeurope",
  csrf: "csrf-of-the-example",
  username: "sre@example.com",
  elevated: true,
  role: "elevated",
  permissions: [
    { action: "redeployvm", allowed: true, needsReason: false },
    { action: "deletemanagedresource", allowed: true, needsReason: true },
    { action: "serialconsole", allowed: false, needsReason: false },
  ],
  expires: "2026-11-27T02:52:46Z",
  rpVersion: "0.1.0",
  rpversion: "0.1.0",
  banner: { text: "simulated", link: { text: "Console", url: "https://localhost:8448" } },
};

export const exampleRegions: Regions = {
  regions: ["northeurope", "westeurope"].map((name) => ({
    name,
    url: `https://${name}.admin.aro.azure.com`,
  })),
};

const install = Date.parse("2026-11-20T08:12:44Z");
const after = (seconds: number) => new Date(install + seconds * 1_000).toISOString();
const steps: readonly (readonly [string, number, number, number?, string?])[] = [
  ["validateResources", 1, 9],
  ["ensureResourceGroup", 9, 15],
  ["createServicePrincipal", 9, 41, 3, "the service principal is not there yet"],
  ["createDNS", 15, 22],
  ["ensureNetworkSecurityGroups", 15, 38],
  ["createStorageAccounts", 38, 96],
  ["createLoadBalancers", 38, 74],
  ["createPrivateEndpoint", 74, 131],
  ["generateIgnition", 96, 118],
  ["startBootstrapVirtualMachine", 131, 322],
  ["waitForBootstrapConfigMap", 322, 1_004],
  ["waitForAPIServer", 322, 871],
  ["removeBootstrapVirtualMachine", 1_004, 1_061],
  ["waitForWorkerNodes", 1_061, 1_650, 2, "2 of 3 worker nodes are ready"],
  ["deployOperator", 1_061, 1_120],
  ["waitForClusterVersion", 1_650, 2_110],
  ["configureIngressCertificate", 2_110, 2_160],
];

/** Example operations: a completed install, and a failed update. */
export const exampleOperations: readonly OperationView[] = [
  {
    id: "op-update",
    kind: "Updating",
    state: "Failed",
    startTime: "2026-11-26T13:40:00Z",
    endTime: "2026-11-26T13:58:30Z",
    currentSteps: [],
    correlationId: "5c9d3c8e-77a8-4f5c-9a62-3f0d2e0a9b11",
    error: {
      code: "InvalidServicePrincipalCredentials",
      message: "The client secret of the cluster has expired.",
    },
    steps: [
      {
        name: "validateResources",
        startedAt: "2026-11-26T13:40:01Z",
        endedAt: "2026-11-26T13:40:09Z",
        attempts: 1,
        outcome: "succeeded",
      },
      {
        name: "renewClientSecret",
        startedAt: "2026-11-26T13:40:09Z",
        endedAt: "2026-11-26T13:58:30Z",
        attempts: 7,
        outcome: "failed",
        error: "AADSTS7000222: the client secret keys are expired",
      },
    ],
  },
  {
    id: "op-create",
    kind: "Creating",
    state: "Succeeded",
    startTime: after(0),
    endTime: after(2_160),
    percentComplete: 100,
    currentSteps: [],
    correlationId: "0f2e9c1a-3b1c-4f7e-8f0d-6f4b8ad0c7e2",
    steps: steps.map(([name, from, to, attempts = 1, error]) => ({
      name,
      startedAt: after(from),
      endedAt: after(to),
      attempts,
      outcome: "succeeded",
      ...(error ? { error } : {}),
    })),
  },
];

export const exampleMaintenance: Maintenance = {
  manifests: [
    {
      id: "m1",
      task: "0c29a4ab-3c2c-4b1c-8d43-2f2c4c2d1f10",
      taskName: "TLS certificate rotation",
      state: "Completed",
      statusText: "",
      priority: 0,
      runAfter: "2026-11-25T02:00:00Z",
      runBefore: "2026-11-26T02:00:00Z",
      createdBySchedule: "weekly",
    },
    {
      id: "m2",
      task: "b41749fc-af26-4ab7-b5a1-e03f3ee4cba6",
      taskName: "update operator flags",
      state: "Pending",
      statusText: "",
      priority: 1,
      runAfter: "2026-12-02T02:00:00Z",
    },
  ],
  tasks: [
    { id: "888fc221-b059-49db-bd02-22ad86cccd6b", name: "fix SSH" },
    { id: "b41749fc-af26-4ab7-b5a1-e03f3ee4cba6", name: "update operator flags" },
  ],
};

export const exampleActions: Actions = {
  actions: [
    {
      id: "a1",
      action: "redeployvm",
      caller: "sre@example.com",
      state: "Succeeded",
      startedAt: "2026-11-24T10:00:00Z",
      endedAt: "2026-11-24T10:03:12Z",
      parameters: { vmName: "demo-x7k2p-master-1" },
      correlationId: "9a7e4d7f-0a2e-4b0e-9e2e-1f6a3c1b7d11",
    },
    {
      id: "a2",
      action: "etcdrecovery",
      caller: "sre@example.com",
      state: "Failed",
      startedAt: "2026-11-24T11:00:00Z",
      endedAt: "2026-11-24T11:00:31Z",
      parameters: { reason: "member lost its disk" },
    },
  ],
};

export const exampleActivity: Activity = {
  activity: [
    {
      at: "2026-11-26T13:40:00Z",
      kind: "operation",
      title: "Updating",
      state: "Failed",
      who: "admin@example.com",
      id: "op-update",
    },
    { at: "2026-11-25T02:00:00Z", kind: "maintenance", title: "weekly", state: "Completed", id: "m1" },
    {
      at: "2026-11-24T10:00:00Z",
      kind: "action",
      title: "redeployvm",
      state: "Succeeded",
      who: "sre@example.com",
      id: "a1",
    },
    {
      at: "2026-11-24T09:58:00Z",
      kind: "session",
      title: "kubeconfig",
      state: "open",
      who: "sre@example.com",
      id: "s1",
    },
  ],
};

const exampleCluster =
  "/subscriptions/00000000-0000-0000-0000-000000000000/resourcegroups/demo/providers/microsoft.redhatopenshift/openshiftclusters/demo";

export const exampleSessions: Sessions = {
  sessions: [
    {
      id: "s1",
      kind: "kubeconfig",
      username: "sre@example.com",
      cluster: exampleCluster,
      elevated: true,
      createdAt: "2026-11-27T01:00:00Z",
      expiresAt: "2026-11-27T07:00:00Z",
    },
    {
      id: "s2",
      kind: "ssh",
      username: "sre@example.com",
      cluster: exampleCluster,
      elevated: true,
      master: 1,
      used: false,
      createdAt: "2026-11-27T01:51:30Z",
      expiresAt: "2026-11-27T01:52:30Z",
    },
  ],
};

export const exampleRecordings: Recordings = {
  recordings: [
    {
      id: "r2",
      username: "sre@example.com",
      master: 1,
      kind: "exec",
      command: "sudo crictl ps --name kube-apiserver",
      session: "s2",
      startedAt: "2026-11-27T01:53:00Z",
      endedAt: "2026-11-27T01:53:02Z",
      truncated: false,
    },
    {
      id: "r1",
      username: "sre@example.com",
      master: 0,
      kind: "shell",
      session: "s1",
      startedAt: "2026-11-27T01:40:00Z",
      endedAt: "2026-11-27T01:52:30Z",
      truncated: false,
    },
  ],
};

/** Example recording of a shell. It contains a prompt, a command and its output, with colours. */
export const exampleCast = [
  { version: 2, width: 100, height: 30, timestamp: 1_795_743_600 },
  [0.2, "o", "[core@demo-x7k2p-master-0 ~]$ "],
  [3.1, "o", "systemctl is-active kubelet\r\n"],
  [3.4, "o", "\u001b[32mactive\u001b[0m\r\n[core@demo-x7k2p-master-0 ~]$ "],
  [64.2, "o", "logout\r\n"],
]
  .map((line) => JSON.stringify(line))
  .join("\n");
