import { accessSync, constants, existsSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import process from "node:process";
import { messageOf } from "@keelson/base";
import type { GovernanceConfig } from "@keelson/env";
import type { UnknownPrograms } from "@keelson/sim-openshift";
import { type Command, InvalidArgumentError, Option } from "commander";
import { type Pace, parsePace } from "../state/pace.ts";
import { defaultPorts, type PortChoice, type PortName } from "../state/ports.ts";
import { type PodController, parsePodController, parseRunImage, type RunImage } from "./run-image.ts";

/** Returns the option `--state DIR`. Its value is parsed to an absolute path. */
export function stateOption(): Option {
  return new Option("--state <dir>", "state directory")
    .default(resolve(".keelson"), "./.keelson")
    .argParser((text: string) => resolve(text));
}

export function logLevelOption(): Option {
  return new Option("--log-level <level>", "minimum log level")
    .choices(["trace", "debug", "info", "warn", "error", "silent"])
    .default("info");
}

export function logFormatOption(): Option {
  return new Option(
    "--log-format <format>",
    "log format: logrus prints level=error key=value, json prints one JSON object per line",
  )
    .choices(["logrus", "json"])
    .default("logrus");
}

type PortHelp = Readonly<Record<PortName, string>>;

const portHelp: PortHelp = {
  rp: "port of the resource provider",
  azure: "port of the simulated Azure",
  clusters: "port of the simulated clusters' API servers",
  metrics: "metrics port of the service",
  admin: "port of the admin API of the simulated clusters, which manages cluster faults and image rules",
  proxy: "port of the HTTP proxy that routes Azure's host names to the simulated Azure",
  dns: "port of the DNS server for public zones of the simulated Azure",
  portal: "HTTPS port of the portal",
  ssh: "port of the portal's SSH server",
  console: "port of the web console of the simulated world",
};

/** Adds `--ports auto` and one flag for each port in `names`. `help` replaces descriptions of individual ports. */
export function addPortOptions(
  command: Command,
  names: readonly PortName[],
  help: Partial<PortHelp> = {},
): Command {
  command.addOption(
    new Option(
      "--ports <mode>",
      "auto: select free port numbers. Numbers from options such as --rp-port, and numbers that an earlier start saved in the " +
        "state directory, still apply",
    ).choices(["auto"]),
  );
  for (const name of names) {
    const usual = `default in a new state directory: ${defaultPorts[name]}`;
    command.option(`--${name}-port <n>`, `${help[name] ?? portHelp[name]} (${usual})`, parsePort);
  }
  return command;
}

export interface PortFlags {
  readonly ports?: "auto";
  readonly rpPort?: number;
  readonly azurePort?: number;
  readonly clustersPort?: number;
  readonly metricsPort?: number;
  readonly adminPort?: number;
  readonly proxyPort?: number;
  readonly dnsPort?: number;
  readonly portalPort?: number;
  readonly sshPort?: number;
  readonly consolePort?: number;
}

export function portChoice(flags: PortFlags): PortChoice {
  const asked: Partial<Record<PortName, number>> = {};
  if (flags.rpPort !== undefined) asked.rp = flags.rpPort;
  if (flags.azurePort !== undefined) asked.azure = flags.azurePort;
  if (flags.clustersPort !== undefined) asked.clusters = flags.clustersPort;
  if (flags.metricsPort !== undefined) asked.metrics = flags.metricsPort;
  if (flags.adminPort !== undefined) asked.admin = flags.adminPort;
  if (flags.proxyPort !== undefined) asked.proxy = flags.proxyPort;
  if (flags.dnsPort !== undefined) asked.dns = flags.dnsPort;
  if (flags.portalPort !== undefined) asked.portal = flags.portalPort;
  if (flags.sshPort !== undefined) asked.ssh = flags.sshPort;
  if (flags.consolePort !== undefined) asked.console = flags.consolePort;
  return { auto: flags.ports === "auto", asked };
}

/** Parses a number of seconds above 0. Fractions are allowed. */
export function parseSeconds(text: string): number {
  const seconds = Number(text);
  if (!/^\d+(\.\d+)?$/.test(text) || seconds === 0)
    throw new InvalidArgumentError("expected a number of seconds above 0.");
  return seconds;
}

export function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new InvalidArgumentError("expected a port, 0 to 65535.");
  return port;
}

/**
 * Validates a cluster name. The name is also the cluster's domain prefix, so it must be a DNS label that starts with a letter.
 */
export function parseClusterName(text: string): string {
  if (!/^[a-z][-a-z0-9]{0,61}[a-z0-9]$/.test(text)) {
    throw new InvalidArgumentError(
      "expected 2 to 63 lower-case letters, digits or -, starting with a letter.",
    );
  }
  return text;
}

/** Process modes of operator pods in simulated clusters. */
const operatorModes = ["auto", "process", "shared", "none"] as const;
export type OperatorMode = (typeof operatorModes)[number];

export function operatorsOption(): Option {
  return new Option(
    "--operators <mode>",
    "local processes that run the operators of simulated clusters. shared: one process for all clusters; " +
      "process: one process per operator pod; none: operators do not run; auto: same as shared",
  )
    .choices(operatorModes)
    .env("KEELSON_OPERATORS")
    .default("auto");
}

/** `--unknown-programs EFFECT` */
export function unknownProgramsOption(): Option {
  const effects: readonly UnknownPrograms[] = ["run", "exit0", "fail"];
  return new Option(
    "--unknown-programs <effect>",
    "effect of a container program that the simulation does not support. " +
      "exit0: the container exits with code 0 after 1 s. fail: the container exits with code 1 after 1 s. " +
      "run: the container runs until it is stopped. " +
      "exit0 and fail apply only in Job pods and in pods with restartPolicy Never. All other pods use run, regardless of this option",
  )
    .choices(effects)
    .default("exit0");
}

/** `--pace PACE` */
const maxSeed = 4_294_967_295;

/** `--seed N` */
export function seedOption(): Option {
  return new Option(
    "--seed <n>",
    "number from which the tenant, subscription and application IDs of a new state directory are generated. " +
      "Equal seeds result in equal IDs (default: random IDs)",
  ).argParser((text: string) => {
    if (/^\d{1,10}$/.test(text) && Number(text) <= maxSeed) return Number(text);
    throw new InvalidArgumentError(`expected a number from 0 to ${maxSeed}, for example 42.`);
  });
}

export function paceOption(): Option {
  return new Option(
    "--pace <pace>",
    "duration of simulated operations. fast: as short as possible. recorded: durations measured in Azure. " +
      "recorded:FACTOR: these durations multiplied by FACTOR, 0.001 to 1 " +
      "(default: value of the last start with this state directory; in a new state directory: fast)",
  ).argParser(requirePace);
}

function requirePace(text: string): Pace {
  const pace = parsePace(text);
  if (pace) return pace;
  throw new InvalidArgumentError(
    'expected fast, recorded or recorded:FACTOR with a factor from 0.001 to 1, for example "recorded:0.02".',
  );
}

/** `--cluster-addresses` */
export function addClusterAddresses(command: Command, platform: string = process.platform): Command {
  return command
    .option(
      "--cluster-addresses",
      "assign each cluster a separate address in 127.0.0.0/8. The cluster's API server also listens on this address, and the cluster's DNS records contain it. " +
        "Linux only (default: all clusters share 127.0.0.1)",
    )
    .hook("preAction", (self) => {
      if (self.opts().clusterAddresses && platform !== "linux")
        self.error(
          "error: --cluster-addresses needs Linux: other systems have 127.0.0.1 only. Start without it.",
        );
    });
}

/** `--publish`. `provider` names the resource provider. */
export function publishOption(provider = "The resource provider"): Option {
  return new Option(
    "--publish",
    "listen on all addresses of this machine, for example in a container (default: only on the loopback address). " +
      `${provider} accepts requests without credentials, so make sure that only trusted clients reach its port`,
  );
}

/** Components that `keelson up` can omit. */
const optionalRoles = ["monitor", "portal", "console"] as const;
export type OptionalRole = (typeof optionalRoles)[number];

/** `--without ROLE...` */
export function withoutOption(): Option {
  return new Option("--without <role...>", "do not start these components")
    .choices(optionalRoles)
    .default([], "none");
}

/** Adds `--governance FILE`: rules for administrators' actions. The value is parsed to an absolute path. */
export function addGovernance(command: Command): Command {
  return command
    .option(
      "--governance <file>",
      "JSON file with rules for administrators' actions, in the form of `portal.governance` in the configuration (default: no rules)",
      (path: string) => resolve(path),
    )
    .hook("preAction", async (self) => {
      const { governance }: { readonly governance?: string } = self.opts();
      try {
        await readGovernanceFile(governance);
      } catch (error) {
        self.error(
          `error: option --governance: ${messageOf(error)}. Example of a file: {"elevation":{"maxMinutes":60}}`,
        );
      }
    });
}

/** Reads the file of `--governance`. Returns undefined without this option. @throws InvalidConfiguration */
export async function readGovernanceFile(path: string | undefined): Promise<GovernanceConfig | undefined> {
  // The module is imported here, because most commands do not need it.
  return path === undefined ? undefined : (await import("@keelson/env")).readGovernance(path);
}

/** `--subnets-for NAME...`: creates subnets for the named clusters in the embedded network. */
export function subnetsOption(): Option {
  return new Option(
    "--subnets-for <cluster...>",
    "create the subnets {cluster}-master and {cluster}-worker for these clusters, but not the clusters themselves",
  )
    .default([], "none")
    .argParser((name: string, all: string[]) => [...all, parseClusterName(name)]);
}

/** `--hive CRDS_DIRECTORY` */
export function hiveOption(): Option {
  return new Option(
    "--hive <directory>",
    "install clusters through Hive in a simulated management cluster. " +
      "<directory> is config/crds of the Hive repository, which contains Hive's CustomResourceDefinitions " +
      "(default: value of the last start with this state directory; in a new state directory: no Hive)",
  ).argParser(parseHiveDirectory);
}

/** `--aro-installer PROGRAM` */
export function aroInstallerOption(): Option {
  return new Option(
    "--aro-installer <program>",
    "install clusters with ARO's installer. Linux only. <program> is a copy of /bin/openshift-install from the installer's image " +
      "(default: value of the last start with this state directory; in a new state directory: the simulated installer)",
  )
    .conflicts("hive")
    .argParser(parseAroInstaller);
}

function parseAroInstaller(text: string): string {
  const program = resolve(text);
  try {
    accessSync(program, constants.X_OK);
    if (!statSync(program).isFile()) throw new Error("it is not a file");
    return program;
  } catch (error) {
    throw new InvalidArgumentError(`${program} cannot be executed: ${messageOf(error)}`);
  }
}

function parseHiveDirectory(text: string): string {
  const directory = resolve(text);
  if (existsSync(join(directory, "hive.openshift.io_clusterdeployments.yaml"))) return directory;
  throw new InvalidArgumentError(
    `${directory} has no hive.openshift.io_clusterdeployments.yaml: expected config/crds of a checkout of Hive, for example "hive/config/crds".`,
  );
}

/** `--run-image PREFIX=COMMAND`. Repeatable. */
export function runImageOption(): Option {
  return new Option(
    "--run-image <prefix=command>",
    "for images with <prefix>, run the local program <command> instead of a simulated container. " +
      '<prefix> is a complete image reference, or the part of it before a "/", ":" or "@". The longest matching prefix applies. ' +
      "The program has your user's permissions. Repeatable",
  )
    .default([], "none")
    .argParser((text: string, all: RunImage[]) => [...all, parseRunImage(text, all)]);
}

/** `--run-image-for NAMESPACE/KIND/NAME`. Repeatable. */
export function runImageForOption(): Option {
  return new Option(
    "--run-image-for <namespace/kind/name>",
    "apply --run-image only to pods of this controller. In each part, * matches any string. Repeatable",
  )
    .default([], "all controllers")
    .argParser((text: string, all: PodController[]) => [...all, parsePodController(text)]);
}

export interface UpFlags extends PortFlags {
  readonly state: string;
  readonly detach?: boolean;
  /** Name of the first cluster. False if `--no-cluster` is set. */
  readonly cluster: string | false;
  readonly subnetsFor: readonly string[];
  readonly operators: OperatorMode;
  readonly unknownPrograms: UnknownPrograms;
  readonly hive?: string;
  readonly aroInstaller?: string;
  readonly runImage: readonly RunImage[];
  readonly runImageFor: readonly PodController[];
  readonly pace?: Pace;
  readonly clusterProcesses?: number;
  readonly seed?: number;
  readonly clusterAddresses?: boolean;
  readonly without: readonly OptionalRole[];
  readonly publish?: boolean;
  /** Path of the file with rules for administrators' actions. */
  readonly governance?: string;
  readonly logLevel: string;
  readonly output: "table" | "json";
}
