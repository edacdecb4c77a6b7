import { accessSync, constants, existsSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import process from "node:process";
import { messageOf } from "@keelson/base";
import type { UnknownPrograms } from "@keelson/sim-openshift";
import { type Command, InvalidArgumentError, Option } from "commander";
import { type Pace, parsePace } from "../state/pace.ts";
import { defaultPorts, type PortChoice, type PortName } from "../state/ports.ts";
import { type PodController, parsePodController, parseRunImage, type RunImage } from "./run-image.ts";

/** `--state DIR`. Returns an absolute path. */
export function stateOption(): Option {
  return new Option("--state <dir>", "state directory")
    .default(resolve(".keelson"), "./.keelson")
    .argParser((text: string) => resolve(text));
}

export function logLevelOption(): Option {
  return new Option("--log-level <level>", "minimum level of log lines")
    .choices(["trace", "debug", "info", "warn", "error", "silent"])
    .default("info");
}

export function logFormatOption(): Option {
  return new Option("--log-format <format>", "format of log lines: level=error key=value, or JSON")
    .choices(["logrus", "json"])
    .default("logrus");
}

const portHelp: Readonly<Record<PortName, string>> = {
  rp: "port of the resource provider",
  azure: "port of the simulated Azure",
  clusters: "port of the clusters' API server",
  metrics: "port of metrics",
  admin: "port of the simulated world's administration",
  proxy: "port of the proxy for clients that use Azure's own host names",
  dns: "port of the DNS server of the simulated Azure's public zones",
  portal: "port of the portal",
  ssh: "port of the portal's SSH server",
  console: "port of the console of the simulated world",
};

/** Adds `--ports auto` and one flag for each port in `names`. */
export function addPortOptions(command: Command, names: readonly PortName[]): Command {
  command.addOption(new Option("--ports <mode>", "auto: use free ports").choices(["auto"]));
  for (const name of names) {
    command.option(`--${name}-port <n>`, `${portHelp[name]} (default: ${defaultPorts[name]})`, parsePort);
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

export function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new InvalidArgumentError("expected a port, 0 to 65535.");
  return port;
}

/** Validates a cluster name. The name is also used as a domain: it must be a DNS label that starts with a letter. */
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
    "shared: one process for the operators of all clusters; process: one process for each operator pod; auto: shared; " +
      "none: operator pods do nothing",
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
    "result of programs that are not simulated, in pods of Jobs and pods with restartPolicy Never. " +
      "exit0: they end after a second; fail: they end with exit code 1; run: they run until they are stopped",
  )
    .choices(effects)
    .default("exit0");
}

/** `--pace PACE` */
export function paceOption(): Option {
  return new Option(
    "--pace <pace>",
    "durations in the simulated world: fast, or recorded[:FACTOR] for recorded durations of Azure, multiplied by 0.001 to 1 " +
      "(default: as last used with this state directory, initially fast)",
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
      "use a separate address in 127.0.0.0/8 for each cluster's API server, with DNS records (Linux only; default: all share 127.0.0.1)",
    )
    .hook("preAction", (self) => {
      if (self.opts().clusterAddresses && platform !== "linux")
        self.error(
          "error: --cluster-addresses needs Linux: other systems have 127.0.0.1 only. Start without it.",
        );
    });
}

/** Components that `keelson up` can omit. */
const optionalRoles = ["monitor", "portal", "console"] as const;
export type OptionalRole = (typeof optionalRoles)[number];

/** `--without ROLE...` */
export function withoutOption(): Option {
  return new Option("--without <role...>", "roles of the service, or the console, to leave out")
    .choices(optionalRoles)
    .default([], "none");
}

/** `--subnets-for NAME...`: creates subnets for these clusters in the embedded network. */
export function subnetsOption(): Option {
  return new Option(
    "--subnets-for <cluster...>",
    "also create subnets {cluster}-master and {cluster}-worker for these clusters",
  )
    .default([], "none")
    .argParser((name: string, all: string[]) => [...all, parseClusterName(name)]);
}

/** `--hive CRDS_DIRECTORY` */
export function hiveOption(): Option {
  return new Option(
    "--hive <directory>",
    "install clusters through Hive in a simulated management cluster; the directory contains Hive's CustomResourceDefinitions, " +
      "config/crds of its repository (default: as last used with this state directory, initially without Hive)",
  ).argParser(parseHiveDirectory);
}

/** `--aro-installer PROGRAM` */
export function aroInstallerOption(): Option {
  return new Option(
    "--aro-installer <program>",
    "install clusters by ARO's installer, /bin/openshift-install of its image (Linux only; default: that of the state directory, " +
      "the simulated installer in a new one)",
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
    "run pods with images of this prefix as a program of this machine, with your rights; repeatable, the longest prefix " +
      "wins",
  )
    .default([], "none")
    .argParser((text: string, all: RunImage[]) => [...all, parseRunImage(text, all)]);
}

/** `--run-image-for NAMESPACE/KIND/NAME`. Repeatable. */
export function runImageForOption(): Option {
  return new Option(
    "--run-image-for <namespace/kind/name>",
    "run only pods of these controllers as programs; * matches any string; repeatable",
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
  readonly clusterAddresses?: boolean;
  readonly without: readonly OptionalRole[];
  readonly logLevel: string;
  readonly output: "table" | "json";
}
