/** Value formats of flags in a simulated container, as regular expressions. */
export const values = {
  address: /^[0-9A-Fa-f.:[\]]*:\d{1,5}$/,
  duration: /^[0-9]+(\.[0-9]+)?([a-zµ]+)?$/,
  durations: /^([0-9]+(\.[0-9]+)?[a-zµ]+)+$/,
  hash: /^[A-Za-z0-9_=-]{1,64}$/,
  level: /^(trace|debug|info|warn|error|silent)$/,
  name: /^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/,
  names: /^([a-z0-9][-a-z0-9.]{0,252},?)*$/,
  number: /^\d{1,9}$/,
  numbers: /^(\d{1,9},?)*$/,
  /** Absolute path. The program resolves it below the container's root directory. */
  path: /^\/[^\0]{0,4095}$/,
  sockets: /^(unix:\/\/\/[^\0,]{1,200},?)*$/,
  version: /^[A-Za-z0-9][A-Za-z0-9.+_-]{0,127}$/,
} satisfies Readonly<Record<string, RegExp>>;

export type ValueKind = keyof typeof values;

/** Program that containers may run, and its permitted flags. */
export interface ContainerProgram {
  readonly flags: Readonly<Record<string, ValueKind>>;
  /**
   * Node.js options for this program. They limit the young generation of the V8 heap, because operators are mostly idle. The
   * limit saves tens of megabytes.
   */
  readonly options?: readonly string[];
}

const election = {
  "leader-elect-lease-duration": "duration",
  "leader-elect-renew-deadline": "duration",
  "leader-elect-retry-period": "duration",
} as const;
const node = { "log-level": "level", v: "number" } as const;
const aroOperator: ContainerProgram = {
  flags: { namespace: "name", "log-level": "level", ...election },
  options: ["--max-semi-space-size=2"],
};

/**
 * Permitted programs by command words. Flags for the API server, the service account, addresses and ports are missing, because
 * only the host sets them. Flags for host files, such as `--kubeconfig` and `--content`, are also missing.
 */
export const containerPrograms: Readonly<Record<string, ContainerProgram>> = {
  "operator master": aroOperator,
  "operator worker": aroOperator,
  "samples-operator": {
    flags: { config: "path", namespace: "name", release: "version", "log-level": "level" },
    options: ["--max-semi-space-size=2"],
  },
  "kube-apiserver-operator operator": {
    flags: {
      config: "path",
      listen: "address",
      namespace: "name",
      "terminate-on-files": "path",
      "log-level": "level",
      "min-ready": "number",
      ...election,
    },
    options: ["--max-semi-space-size=4"],
  },
  "kube-apiserver-operator installer": {
    flags: {
      ...node,
      revision: "number",
      namespace: "name",
      pod: "name",
      "resource-dir": "path",
      "pod-manifest-dir": "path",
      "pod-manifests-lock-file": "path",
      "timeout-duration": "durations",
      configmaps: "names",
      "optional-configmaps": "names",
      secrets: "names",
      "optional-secrets": "names",
      "cert-dir": "path",
      "cert-configmaps": "names",
      "optional-cert-configmaps": "names",
      "cert-secrets": "names",
      "optional-cert-secrets": "names",
    },
  },
  "kube-apiserver-operator prune": {
    flags: {
      ...node,
      "max-eligible-revision": "number",
      "protected-revisions": "numbers",
      "resource-dir": "path",
      "static-pod-name": "name",
    },
  },
  "kube-apiserver-operator kms-preflight": {
    flags: {
      ...node,
      "kms-sockets": "sockets",
      "kms-call-timeout": "durations",
      "config-hash": "hash",
      "pod-name": "name",
      "pod-namespace": "name",
    },
  },
};
