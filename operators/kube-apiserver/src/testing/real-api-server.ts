import { type ChildProcess, execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, openSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { listAt, objectAt, spawnBound, stringAt, valueAt } from "@keelson/base";
import { freePorts } from "@keelson/base/testing";

export interface RealApiServer extends AsyncDisposable {
  readonly port: number;
  /** Arguments and configuration values that are omitted, because upstream's API server does not support them. */
  readonly leftOut: readonly string[];
  readonly auditLog: string;
}

export interface RealApiServerOptions {
  /** Directory that contains the programs `etcd` and `kube-apiserver`. */
  readonly assets: string;
  /** Directory that represents `/`. The files that the configuration names are below it. */
  readonly root: string;
  readonly config: unknown;
  readonly etcd: { readonly certFile: string; readonly keyFile: string; readonly caFile: string };
}

/** Arguments with values that depend on the test machine. */
const replaced = new Set(["etcd-servers", "audit-policy-file", "advertise-address"]);

/**
 * Starts etcd and kube-apiserver with an OpenShift configuration. Fields that upstream's API server does not support are omitted.
 */
export async function startRealApiServer(options: RealApiServerOptions): Promise<RealApiServer> {
  const { assets, root, config, etcd } = options;
  const [clientPort = 0, peerPort = 0, port = 0] = await freePorts(3);
  const processes: ChildProcess[] = [];
  const run = (name: string, args: readonly string[]) => {
    const log = openSync(join(root, `${name}.log`), "a");
    processes.push(spawnBound(join(assets, name), args, { stdio: ["ignore", log, log] }));
  };
  const etcdUrl = `https://127.0.0.1:${clientPort}`;
  run("etcd", [
    `--data-dir=${join(root, "etcd")}`,
    `--listen-client-urls=${etcdUrl}`,
    `--advertise-client-urls=${etcdUrl}`,
    `--listen-peer-urls=http://127.0.0.1:${peerPort}`,
    `--initial-advertise-peer-urls=http://127.0.0.1:${peerPort}`,
    `--initial-cluster=default=http://127.0.0.1:${peerPort}`,
    `--cert-file=${etcd.certFile}`,
    `--key-file=${etcd.keyFile}`,
    `--trusted-ca-file=${etcd.caFile}`,
    "--client-cert-auth",
  ]);
  const { flags, leftOut } = upstreamFlags(
    options,
    execFileSync(join(assets, "kube-apiserver"), ["--help"]).toString(),
  );
  const auditLog = join(root, "var/log/kube-apiserver/audit.log");
  mkdirSync(dirname(auditLog), { recursive: true });
  run("kube-apiserver", [
    ...flags,
    `--etcd-servers=${etcdUrl}`,
    "--bind-address=127.0.0.1",
    `--secure-port=${port}`,
    "--advertise-address=10.0.0.4",
    `--cert-dir=${root}`,
    `--audit-policy-file=${auditPolicyFile(root, config)}`,
    `--admission-control-config-file=${file(root, "admission.yaml", admissionConfiguration(config))}`,
  ]);
  return {
    port,
    leftOut,
    auditLog,
    async [Symbol.asyncDispose]() {
      for (const child of processes.toReversed()) {
        if (child.exitCode !== null || child.signalCode !== null) continue;
        const ended = once(child, "exit");
        child.kill("SIGKILL");
        await ended;
      }
    },
  };
}

export function logOf(root: string): string {
  return readFileSync(join(root, "kube-apiserver.log"), "utf8").slice(-3_000);
}

function upstreamFlags({ root, config }: RealApiServerOptions, help: string) {
  const leftOut: string[] = [];
  const flags: string[] = [];
  const add = (name: string, values: readonly unknown[]) => {
    if (!help.includes(`--${name} `)) return void leftOut.push(`--${name}`);
    const known = values.filter((value): value is string => {
      const isKnown = typeof value === "string" && isKnownValue(name, value, help);
      if (!isKnown) leftOut.push(`--${name}=${value}`);
      return isKnown;
    });
    for (const value of known) flags.push(`--${name}=${placed(root, value)}`);
  };
  const given = valueAt(config, "apiServerArguments");
  for (const [name, values] of Object.entries(objectAt(given)))
    if (!replaced.has(name) && Array.isArray(values)) add(name, values);
  for (const directory of listAt(config, "serviceAccountPublicKeyFiles"))
    for (const name of publicKeyFiles(root, String(directory)))
      flags.push(`--service-account-key-file=${name}`);
  add("service-cluster-ip-range", [stringAt(config, "servicesSubnet")]);
  add("tls-min-version", [stringAt(config, "servingInfo", "minTLSVersion") ?? "VersionTLS12"]);
  for (const each of listAt(config, "servingInfo", "namedCertificates")) {
    const names = listAt(each, "names").join(",");
    const pair = `${placed(root, stringAt(each, "certFile") ?? "")},${placed(root, stringAt(each, "keyFile") ?? "")}`;
    flags.push(`--tls-sni-cert-key=${pair}${names === "" ? "" : `:${names}`}`);
  }
  return { flags, leftOut };
}

function isKnownValue(name: string, value: string, help: string): boolean {
  if (name === "enable-admission-plugins") return !value.includes("/");
  if (name === "authorization-mode") return ["RBAC", "Node", "Webhook", "ABAC"].includes(value);
  if (name === "feature-gates") return help.includes(`${value.split("=")[0]}=true|false`);
  return true;
}

function placed(root: string, value: string): string {
  return value.startsWith("/") ? join(root, value) : value;
}

/**
 * Returns the audit policy file of a revision. During bootstrapping, OpenShift's API server generates this file from its
 * configuration.
 */
function auditPolicyFile(root: string, config: unknown): string {
  const [path] = listAt(config, "apiServerArguments", "audit-policy-file");
  return typeof path === "string" && path.startsWith("/")
    ? placed(root, path)
    : file(root, "audit-policy.yaml", valueAt(config, "auditConfig", "policyConfiguration"));
}

/**
 * Returns the public key files in a directory. OpenShift's API server accepts directories, but upstream's API server accepts only
 * files.
 */
function publicKeyFiles(root: string, directory: string): readonly string[] {
  const place = placed(root, directory);
  if (!statSync(place).isDirectory()) return [place];
  return readdirSync(place)
    .filter((name) => !name.startsWith("."))
    .map((name) => join(place, name));
}

/** Returns the admission plugin configuration. Upstream's API server reads it from a separate file. */
function admissionConfiguration(config: unknown) {
  const plugins = valueAt(config, "admission", "pluginConfig");
  return {
    apiVersion: "apiserver.config.k8s.io/v1",
    kind: "AdmissionConfiguration",
    plugins: Object.entries(objectAt(plugins))
      .filter(([name]) => !name.includes("/"))
      .map(([name, plugin]) => ({ name, configuration: valueAt(plugin, "configuration") })),
  };
}

function file(root: string, name: string, content: unknown): string {
  const path = join(root, name);
  writeFileSync(path, JSON.stringify(content));
  return path;
}
