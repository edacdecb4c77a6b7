import { parseArgs } from "node:util";
import type { LogFormat, Logger, Metrics } from "@keelson/base";
import type { ConnectionPool } from "@keelson/kube";
import type { OperatorPod } from "./operator-pod.ts";

/** Container that shares a process with other containers. */
interface SharedContainer {
  readonly args: readonly string[];
  readonly pod: OperatorPod;
  readonly connections: ConnectionPool;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/** Command of this program that runs instead of an operator's container image. */
export interface OperatorCommand {
  /** Returns flags for the pod's files, ports and API server on this machine. They are appended to the container's arguments. */
  readonly flags: (pod: OperatorPod, args: readonly string[]) => readonly string[];
  /** Runs the container in the shared process until the signal aborts. Undefined if each container needs a separate process. */
  readonly share?: (container: SharedContainer) => Promise<void>;
  /** Log format of the command. Default: `json`. */
  readonly logFormat?: (args: readonly string[]) => LogFormat;
}

/** Maps each upstream operator program to the command of this program that replaces it. */
const programs: Readonly<Record<string, string>> = {
  "cluster-kube-apiserver-operator": "kube-apiserver-operator",
  "cluster-samples-operator": "samples-operator",
};

/** True if a container may run the program: this program, an upstream program, or no explicit program. */
export function isProgram(path: string | undefined): boolean {
  if (path === undefined) return true;
  const name = path.split("/").at(-1) ?? "";
  return name === "keelson" || Object.hasOwn(programs, name);
}

/**
 * Returns the arguments of this program for a container. For an upstream program, the replacement command is added as the first
 * argument.
 */
export function commandLine(program: string | undefined, args: readonly string[]): readonly string[] {
  const name = program?.split("/").at(-1) ?? "";
  const command = Object.hasOwn(programs, name) ? programs[name] : undefined;
  return command === undefined ? args : [command, ...args];
}

/** Metrics port in the manifests of the samples operator. */
const metricsPort = 60_000;

/** Commands by the first word of the container's arguments. */
const commands: Readonly<Record<string, OperatorCommand>> = {
  operator: {
    logFormat: (args) => (args.includes("--log-format=json") ? "json" : "logrus"),
    flags: (pod, args) => [
      ...["--server", pod.server, "--service-account", pod.serviceAccount, "--host", "127.0.0.1"],
      ...["--health-port", `${pod.port(8_080)}`, "--metrics-port", `${pod.port(8_888)}`],
      ...variableFlags(pod, args, { namespace: "POD_NAMESPACE" }),
    ],
    async share({ args, pod, ...rest }) {
      const [role] = args;
      if (role !== "master" && role !== "worker")
        throw new Error(`invalid role '${role ?? ""}': an operator is 'master' or 'worker'`);
      const { startOperator } = await import("../operators/aro-operator.ts");
      await startOperator({
        role,
        server: pod.server,
        serviceAccount: pod.serviceAccount,
        environment: pod.environment,
        namespace: pod.environment.POD_NAMESPACE ?? "openshift-azure-operator",
        host: "127.0.0.1",
        healthPort: pod.port(8_080),
        metricsPort: pod.port(8_888),
        ...rest,
      });
    },
  },
  "samples-operator": {
    // Disables the registry check, because it would search for the simulated clusters' registries in this machine's network.
    flags: (pod, args) => [
      ...["--server", pod.server, "--service-account", pod.serviceAccount, "--host", "127.0.0.1"],
      ...["--health-port", `${pod.port(8_080)}`, "--metrics-port", `${pod.port(metricsPort)}`],
      ...variableFlags(pod, args, { namespace: "POD_NAMESPACE", release: "RELEASE_VERSION" }),
      "--no-registry-check",
    ],
    async share({ args, pod, ...rest }) {
      const { startSamplesOperator } = await import("../operators/samples-operator.ts");
      const { shippedCatalogues } = await import("@keelson/samples-operator");
      await startSamplesOperator({
        server: pod.server,
        serviceAccount: pod.serviceAccount,
        environment: pod.environment,
        namespace: pod.environment.POD_NAMESPACE ?? "openshift-cluster-samples-operator",
        release: pod.environment.RELEASE_VERSION ?? "",
        content: shippedCatalogues,
        registryCheck: false,
        host: "127.0.0.1",
        healthPort: pod.port(8_080),
        metricsPort: pod.port(metricsPort),
        ...configOf(args),
        ...rest,
      });
    },
  },
  "kube-apiserver-operator": {
    // File paths need no mapping here, because the program resolves them below the container's root. Sidecars get no API server
    // flags, because their kubeconfigs already contain a simulated server.
    flags: (pod, args) => {
      const [subcommand = ""] = args;
      const { server, serviceAccount, port } = pod;
      const access = ["--server", server, "--service-account", serviceAccount];
      if (subcommand === "operator")
        return [
          ...access,
          ...variableFlags(pod, args, { namespace: "POD_NAMESPACE" }),
          ...["--listen", `127.0.0.1:${port(8_080)}`, "--metrics-port", `${port(8_443)}`],
        ];
      return onNode.has(subcommand) ? access : [];
    },
    async share({ args: [subcommand, ...args], pod, ...rest }) {
      if (subcommand !== "operator")
        throw new Error(`'${subcommand ?? ""}' of the kube-apiserver operator needs a separate process`);
      const { runApiserverOperator } = await import("../operators/kube-apiserver-operator.ts");
      await runApiserverOperator({
        server: pod.server,
        serviceAccount: pod.serviceAccount,
        environment: pod.environment,
        namespace: pod.environment.POD_NAMESPACE ?? "openshift-kube-apiserver-operator",
        listen: `127.0.0.1:${pod.port(8_080)}`,
        metricsPort: pod.port(8_443),
        ...configOf(args),
        ...minReadyOf(args),
        terminateOnFiles: [],
        ...rest,
      });
    },
  },
};

/**
 * Returns flags with values from the container's environment. The command line itself reads defaults only from the process
 * environment, which does not contain the container's variables.
 */
function variableFlags(
  { environment }: OperatorPod,
  args: readonly string[],
  variables: Readonly<Record<string, string>>,
): readonly string[] {
  return Object.entries(variables).flatMap(([flag, variable]) => {
    const value = environment[variable];
    const isSet = args.some((arg) => arg.startsWith(`--${flag}=`));
    return value === undefined || isSet ? [] : [`--${flag}=${value}`];
  });
}

/** Returns the file name in the container's flag `--config`. */
function configOf(args: readonly string[]): { readonly config?: string } {
  const { config } = parseArgs({
    args: [...args],
    options: { config: { type: "string" } },
    strict: false,
  }).values;
  return typeof config === "string" ? { config } : {};
}

/** Returns the duration in the container's flag `--min-ready`, in ms. */
export function minReadyOf(args: readonly string[]): { readonly minReadyMs?: number } {
  const { "min-ready": seconds } = parseArgs({
    args: [...args],
    options: { "min-ready": { type: "string" } },
    strict: false,
  }).values;
  return typeof seconds === "string" ? { minReadyMs: Number(seconds) * 1_000 } : {};
}

/** Commands that run on a node and use the service account of their pod. */
const onNode: ReadonlySet<string> = new Set(["installer", "prune", "kms-preflight"]);

/** Returns the command of a container. @throws Error that lists the permitted commands, for the container's log */
export function operatorCommand(args: readonly string[]): OperatorCommand {
  const [name = ""] = args;
  const found = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!found)
    throw new Error(
      `containers of this image run ${Object.keys(commands)
        .map((each) => `'${each}'`)
        .join(", ")}, not '${name}'`,
    );
  return found;
}
