/** Row of the architecture table: packages by directory with a short description. */
type Row = Readonly<Record<string, string>>;

/**
 * Production packages, top row first. A package may only import from lower rows. Packages in the same row never import each
 * other.
 */
export const rows: readonly Row[] = [
  { "cmd/keelson": "the program: the only reader of environment, flags, signals and ports" },
  {
    "services/frontend": "the ARM API and the admin API: validates, converts and stores the desired state",
    "services/backend": "reconciles clusters: leases, graphs of steps, terminal states",
    "services/maintenance": "planned maintenance: manifests, schedules, tasks",
    "services/monitor": "monitors cluster health and exports metrics",
    "services/portal": "access of administrators to clusters: pages, kubeconfigs, SSH, audit",
    "services/portal-web": "the portal's pages for browsers",
    "services/gateway": "egress gateway of clusters with allow-listed hosts",
    "services/mirror": "copies releases and images into a registry",
    "services/deploy": "deploys the service to Azure",
    "operators/aro": "the ARO operator: reconciles the objects that the service needs in a cluster",
    "operators/samples": "the samples operator: imagestreams and templates of namespace openshift",
    "operators/kube-apiserver": "the kube-apiserver operator: revisions of a static pod, node by node",
  },
  { "libraries/env": "reads the configuration; creates credentials, drivers and the installer" },
  { "libraries/admin-actions": "administrative actions on a cluster, one file each" },
  { "libraries/cluster": "install, update, delete: graphs and their steps" },
  {
    "libraries/installers": "installers of clusters: ARO's installer, Hive",
    "libraries/portal-sessions": "sessions with which administrators access clusters through the portal",
  },
  { "libraries/model": "the internal cluster document; API versions as data; validation" },
  {
    "libraries/workflow": "leases, journal, graphs of steps, queue workers, buckets; independent of clusters",
  },
  { "libraries/database": "documents, leases, change feed; PostgreSQL, PGlite, Cosmos DB" },
  { "libraries/auth": "authentication of callers: client certificates, Entra ID tokens" },
  { "libraries/azure": "official SDK clients, credentials, retry policy" },
  { "libraries/operator-kit": "managed objects, ClusterOperator status, static pods, certificates" },
  { "libraries/controller": "controller runtime: informers, queues, leader election, webhooks" },
  { "libraries/aro-api": "resources of aro.openshift.io; flags of the operator" },
  { "libraries/kube": "Kubernetes client" },
  {
    "libraries/http": "HTTP servers: connection limits, drain, bodies, paths",
    "libraries/arm": "resource IDs, CloudError, operations, paging",
    "libraries/openapi": "OpenAPI documents of the ARM API: comparison and validation",
    "libraries/portal-api": "API between the portal and its pages: schemas, types, routes",
  },
  { "libraries/base": "errors, clock, abort, retry, secrets, log, metrics, certificates" },
];

/** Simulator packages. Only the program and tests may import them. */
export const simulators: Readonly<Record<string, { holds: string; imports: readonly string[] }>> = {
  "simulators/console": {
    holds: "console of the simulated world, in the browser",
    imports: ["libraries/http", "libraries/base"],
  },
  "simulators/openshift": {
    holds: "machine-api, cluster version, nodes and pods of simulated clusters",
    imports: [
      "simulators/apiserver",
      "libraries/installers",
      "libraries/model",
      "libraries/azure",
      "libraries/controller",
      "libraries/kube",
      "libraries/arm",
      "libraries/http",
      "libraries/base",
    ],
  },
  "simulators/apiserver": {
    holds: "embeddable Kubernetes API server",
    imports: [
      "simulators/schema",
      "simulators/wire-formats",
      "simulators/kinds",
      "simulators/apimachinery",
      "simulators/cel",
      "simulators/store",
      "libraries/controller",
      "libraries/kube",
      "libraries/http",
      "libraries/base",
    ],
  },
  "simulators/schema": {
    holds: "schemas of Kubernetes API objects: custom resources, managed fields, OpenAPI",
    imports: [
      "simulators/wire-formats",
      "simulators/kinds",
      "simulators/apimachinery",
      "simulators/cel",
      "libraries/base",
    ],
  },
  "simulators/wire-formats": {
    holds: "formats of Kubernetes API objects: YAML, protocol buffers, patches, tables",
    imports: ["simulators/kinds", "simulators/apimachinery", "libraries/base"],
  },
  "simulators/kinds": {
    holds: "the built-in kinds of Kubernetes",
    imports: ["simulators/apimachinery", "simulators/cel", "libraries/base"],
  },
  "simulators/apimachinery": {
    holds: "Kubernetes API objects: JSON, quantities, selectors, errors, fair scheduling",
    imports: ["libraries/base"],
  },
  "simulators/cel": {
    holds: "Common Expression Language with the libraries and costs of Kubernetes",
    imports: ["libraries/base"],
  },
  "simulators/azure": {
    holds: "ARM, Entra ID, Microsoft Graph, key vaults, blobs, Cosmos DB over HTTPS; DNS",
    imports: ["simulators/store", "libraries/arm", "libraries/http", "libraries/base"],
  },
  "simulators/store": { holds: "durable logs of changes in one SQLite file", imports: ["libraries/base"] },
};

/**
 * Directories below the `src` of a package, top row first. A directory may only import from lower rows. Directories in the same
 * row never import each other. Type imports are subject to the same rules. `a/*` matches each directory inside `a` that has no
 * separate row.
 *
 * One pair of directories has no rows and imports in both directions: `scripts` and `scripts/release`. A release contains the
 * output of the program `scripts/sbom.ts`, and the Makefile and the Containerfile name this program by its path.
 */
export const directoryRows: Readonly<Record<string, DirectoryRows>> = {
  "clients/typescript": [["."], ["versions"], ["versions/shared"], ["connection"]],
  "services/monitor": [
    ["."],
    ["alerts"],
    ["fleet"],
    ["cluster/collectors"],
    ["cluster", "health", "hive", "nsg"],
    ["metrics"],
  ],
  "services/mirror": [["."], ["release"], ["copy", "graph", "signatures"], ["registry"]],
  "services/maintenance": [["."], ["actuator", "scheduler"], ["metrics"]],
  "services/deploy": [["."], ["flow"], ["templates"], ["host"], ["resources"], ["config", "template"]],
  "services/gateway": [["."], ["identity", "policy", "tunnel"]],
  "services/frontend": [
    ["."],
    ["hive", "portal"],
    ["admin-actions", "customer-events", "maintenance", "operations"],
    ["changes", "clusters", "preflight"],
    ["billing", "health", "openshift-versions", "role-sets", "subscriptions"],
    ["http"],
    ["service"],
    ["admin-actions/running"],
    ["azure-checks", "commits", "http/messages"],
  ],
  "services/portal": [
    ["."],
    ["events"],
    ["access", "routes"],
    ["action-requests"],
    ["clusters", "inside", "kubeconfig", "pages"],
    ["http"],
    ["admin-api"],
    ["history", "prometheus", "sign-in", "ssh"],
    ["errors", "sessions", "text"],
  ],
  "services/portal-web": [
    ["."],
    ["cluster"],
    ["alerts", "timeline"],
    ["clusters"],
    ["azure", "maintenance", "prometheus", "upgrade"],
    ["access", "actions", "history", "inside", "recordings", "shell", "statistics"],
    ["search"],
    ["display", "navigation"],
    ["api", "theme"],
    ["notifications"],
  ],
  "operators/samples": [
    ["."],
    ["operator"],
    ["imports", "samples"],
    ["context"],
    ["bootstrap", "status"],
    ["config", "library"],
    ["content", "resources"],
  ],
  "operators/kube-apiserver": [
    ["."],
    ["controllers", "graph"],
    ["controllers/high-cpu-alert", "diff"],
    ["controllers/*"],
    ["render", "runtime"],
    ["controllers/resource-sync", "observers", "operand"],
    ["certificates"],
    ["config", "definition", "startup-monitor"],
  ],
  "operators/aro": [
    ["."],
    ["controllers", "declarations"],
    ["controllers/reboot-pending"],
    [
      "controllers/auto-sized-nodes",
      "controllers/dnsmasq",
      "controllers/etc-hosts",
      "controllers/user-warnings",
      "controllers/workaround",
    ],
    ["controllers/*"],
    ["customer-yaml", "machine-configs"],
    ["customer-yaml/edits", "runtime"],
    ["azure"],
  ],
  "libraries/env": [["."], ["database", "keys"], ["config"], ["installers"], ["files", "otlp", "reference"]],
  "libraries/cluster": [
    ["."],
    ["graphs"],
    ["diagnostics", "control-plane"],
    ["install", "resource-group", "validation"],
    ["identity"],
    ["operator", "private-link", "removal", "storage"],
    ["network"],
    ["billing", "credentials", "load-balancer", "managed-group", "workers"],
    ["context", "live"],
  ],
  "libraries/workflow": [["."], ["buckets"]],
  "libraries/controller": [
    ["."],
    ["manager"],
    ["election"],
    ["controller", "writes"],
    ["cache", "events", "metrics"],
    ["health", "objects", "queue", "webhooks"],
  ],
  "libraries/model": [
    ["."],
    ["validation"],
    ["catalogue", "conversion"],
    ["api-versions", "database"],
    ["maintenance", "rules", "subscriptions"],
    ["documents", "fields", "health"],
    ["bodies", "cluster"],
  ],
  "libraries/admin-actions": [
    ["."],
    ["maintenance", "permissions"],
    ["actions"],
    ["control-plane", "hive", "upgrade"],
    ["azure", "kubernetes"],
    ["context", "governance"],
  ],
  "libraries/installers": [["."], ["aro-installer", "hive"], ["install"]],
  "libraries/auth": [["."], ["certificates"], ["callers"]],
  "libraries/operator-kit": [
    ["."],
    ["prune"],
    ["encryption/controllers", "installer", "rollout"],
    ["config", "guard", "kms", "nodes", "pod-state", "revisions", "startup", "static-resources"],
    ["certificates", "encryption", "static-pod", "status", "sync"],
    ["operator"],
    ["connectivity", "drawing", "manifests", "node", "objects", "serving"],
  ],
  "libraries/aro-api": [["."], ["manifests"], ["schemas"]],
  "libraries/kube": [
    ["."],
    ["connections"],
    ["kubeconfig", "streams"],
    ["objects", "pod-security", "responses"],
  ],
  "simulators/openshift": [
    ["."],
    ["admin", "bootstrap", "controllers", "installer"],
    [
      "apis/template-instances",
      "bootstrap/seeds",
      "controllers/machine-sets",
      "controllers/monitoring",
      "controllers/release-manifests",
      "workloads",
    ],
    [
      "apis/served",
      "controllers/authentication",
      "controllers/bootstrap",
      "controllers/cluster-version",
      "controllers/control-plane-machine-sets",
      "controllers/etcd",
      "controllers/machine-config-daemon",
      "controllers/machines",
      "controllers/static-pod-operators",
      "monitoring",
    ],
    [
      "apis/builds",
      "apis/oauth",
      "controllers/cluster-operators",
      "controllers/cron-jobs",
      "controllers/daemon-sets",
      "controllers/disruption-budgets",
      "controllers/nodes",
      "kubelet",
      "processes",
      "ssh",
    ],
    ["controllers/*", "kubelet/processes"],
    ["apis/*", "controllers/machine-configs", "controllers/pods", "kubelet/runs"],
    [
      "apis/service-ca",
      "kubelet/cert-syncer",
      "kubelet/node-logs",
      "kubelet/published-programs",
      "kubelet/shell",
      "kubelet/startup-monitor",
    ],
    ["apis", "crds", "kubelet/api-server", "kubelet/volumes", "static-pod-installer"],
    ["kubelet/containers", "monitoring/metrics", "runtime"],
    ["azure", "boot", "payload"],
    [
      "bcrypt",
      "etcd",
      "faults",
      "hypervisor",
      "ignition",
      "monitoring/promql",
      "release",
      "settings",
      "updates",
      "workload-context",
    ],
    ["base"],
  ],
  "cmd/keelson": [
    ["world/programs"],
    ["."],
    ["commands"],
    ["support"],
    [
      "commands/cluster",
      "commands/kube-apiserver-operator",
      "completion",
      "doctor",
      "documents",
      "instance",
      "rp-processes",
      "world/components",
    ],
    ["world/console"],
    ["world"],
    ["world/snapshots"],
    ["azure", "operators/kube-apiserver", "rp-client", "roles", "sim-client", "supervisor", "world/machines"],
    ["operators"],
    ["options"],
    ["configuration", "metrics", "state"],
    ["output", "process"],
  ],
  "libraries/database": [
    ["."],
    ["store", "grants"],
    ["cosmos", "migrations", "pglite", "postgres"],
    ["drivers"],
    ["change-feed", "encryption"],
    ["documents"],
  ],
  "simulators/apiserver": [
    ["bin"],
    ["."],
    ["http"],
    ["http/subresources"],
    ["aggregated"],
    ["http/streaming", "verbs"],
    ["http/resources"],
    ["cluster"],
    ["faults", "tasks"],
    ["admission", "controllers", "http/messages"],
    ["admission/plugins", "discovery"],
    ["registry", "admission/pod-security"],
    ["admission/configuration", "definitions", "quota"],
    ["resources", "threads"],
    ["auth", "http/streaming/spdy", "webhooks"],
    ["storage"],
  ],
  "simulators/apimachinery": [["."], ["quantity", "selector"], ["objects"], ["json"], ["status", "turns"]],
  "simulators/schema": [["."], ["definitions", "openapi"], ["managed-fields"], ["custom"]],
  "simulators/wire-formats": [["."], ["patch", "protobuf", "table", "yaml"]],
  "simulators/kinds": [
    ["."],
    ["types"],
    ["builtin"],
    ["kinds/events"],
    ["kinds/*"],
    ["services", "jobs"],
    ["kinds"],
    ["catalogue/facts", "columns", "quota"],
    ["catalogue"],
  ],
  "simulators/azure": [
    ["bin"],
    ["."],
    ["http"],
    ["pipeline"],
    ["deployments", "insights", "resource-health"],
    ["resource-provider"],
    ["authorization/enforcement"],
    ["policy"],
    ["deployments/template"],
    ["deployments/evaluation"],
    ["deployments/functions", "dns"],
    ["faults", "hypervisor", "key-vault", "managed-identity", "network", "storage"],
    ["audit", "authorization", "compute", "document-db", "graph"],
    ["deployments/language", "entra", "requests", "scale-sets"],
    [
      "clock",
      "compute/power",
      "container-registry",
      "cosmos",
      "deployments/errors",
      "deployments/paths",
      "managed-identity/credentials",
      "postgresql",
      "settings",
    ],
    ["arm", "cosmos/query", "faults/definitions"],
    ["base", "cosmos/errors", "proxy", "request-log", "store"],
  ],
  "simulators/console": [
    ["."],
    ["pages", "routes"],
    ["pages/shell"],
    ["pages/*"],
    ["pages/display"],
    ["http", "pages/requests"],
    ["access", "world"],
    ["api"],
  ],
  "simulators/cel": [["."], ["cost"], ["checking"], ["functions", "syntax"], ["values"]],
};

export type DirectoryRows = readonly (readonly string[])[];

/** Files that a directory may import from other directories, by directory. Directories without an entry are not restricted here. */
export const kernels: Readonly<Record<string, readonly string[]>> = {
  "simulators/azure/src/arm": [
    "simulators/azure/src/base/json.ts",
    "simulators/azure/src/base/offset-clock.ts",
    "simulators/azure/src/store/store.ts",
  ],
};

/**
 * Returns the reason why the file `from` may not import the file `to` of the same package. `undefined` if it may. Both arguments
 * are paths.
 */
export function forbiddenInside(from: string, to: string): string | undefined {
  for (const [kernel, others] of Object.entries(kernels))
    if (from.startsWith(`${kernel}/`) && !to.startsWith(`${kernel}/`) && !others.includes(to))
      return `${kernel} may import only ${others.join(", ")} besides its own files`;
  const own = directoryRows[from.split("/").slice(0, 2).join("/")];
  return own && forbiddenByRows(own, directoryOf(from), directoryOf(to));
}

/** Returns the directory of a file, relative to its package's `src`. For a file directly in `src`, returns `.`. */
function directoryOf(path: string): string {
  return path.split("/").slice(3, -1).join("/") || ".";
}

/** Returns the reason why `rows` forbids an import between two directories. `undefined` if the import is allowed. */
export function forbiddenByRows(rows: DirectoryRows, from: string, to: string): string | undefined {
  const [fromRow, toRow] = [from, to].map((directory) => rowOf(rows, directory));
  if (fromRow === undefined || fromRow < 0) return noRow(from);
  if (toRow === undefined || toRow < 0) return noRow(to);
  return from === to || toRow > fromRow ? undefined : `directory ${to} is not below directory ${from}`;
}

function rowOf(rows: DirectoryRows, directory: string): number {
  const named = rows.findIndex((row) => row.includes(directory));
  const parent = directory.slice(0, Math.max(directory.lastIndexOf("/"), 0));
  return named >= 0 || parent === "" ? named : rows.findIndex((row) => row.includes(`${parent}/*`));
}

function noRow(directory: string): string {
  return `directory ${directory} has no row in scripts/package-rows.ts`;
}

/**
 * Returns the reason why the package `from` may not import the package `to`. `undefined` if it may. Both arguments are
 * directories.
 */
export function forbiddenImport(from: string, to: string): string | undefined {
  if (from === to) return undefined;
  const simulator = simulators[from];
  if (simulator)
    return simulator.imports.includes(to)
      ? undefined
      : `the simulator ${from} may import only ${simulator.imports.join(", ")}`;
  if (to in simulators)
    return from === "cmd/keelson" ? undefined : `only the program and tests import the simulator ${to}`;
  const fromRow = rows.findIndex((row) => from in row);
  const toRow = rows.findIndex((row) => to in row);
  if (fromRow < 0) return `${from} has no row in scripts/package-rows.ts`;
  if (toRow < 0) return `${to} has no row in scripts/package-rows.ts`;
  return toRow > fromRow ? undefined : `${to} is not below ${from}`;
}
