/**
 * Test double of ARO's installer. It has the same commands, files, variables and log lines, but creates no machines. It rejects
 * wrong input. The variable `ARO_DOUBLE` sets its behaviour (a `DoublePlan` in JSON).
 */
import { spawn } from "node:child_process";
import { createPrivateKey, randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import process from "node:process";
import { parse } from "yaml";
import { openGraph } from "../install/sealed-graph.ts";
import { installerOutput } from "./installer-output.ts";
import type { OutputShape } from "./output-shape.ts";
import { graphKey, sealGraph } from "./sealed-graph.ts";

export interface DoublePlan {
  /** JSON file with the assets that the double generates. */
  readonly assetsFile: string;
  /** Directory that simulates the cluster's storage account. Each container is a subdirectory, and each blob is a file. */
  readonly blobs: string;
  /** Command that fails. `manifests` makes `create manifests` fail. `policy` and `bootstrap` make `create cluster` fail. */
  readonly failure?: "manifests" | "policy" | "bootstrap";
  /**
   * Substring of an output line. After the double has written a line that contains it, the double waits until `releaseFile`
   * exists.
   */
  readonly holdAt?: string;
  readonly releaseFile?: string;
  /** File to which a child process writes its process ID. */
  readonly childPidFile?: string;
}

const plan: DoublePlan = JSON.parse(process.env.ARO_DOUBLE ?? "{}");
/**
 * The work directory is `/output` below the installer's root directory. Without a mount namespace, the parent of the work
 * directory serves as the root directory.
 */
const root = resolve(process.cwd(), "..");
const place = (path: string) => join(root, path);

const manager = "github.com/openshift/installer-aro-wrapper/pkg/installer.(*manager)";

const armError = JSON.stringify({
  code: "InvalidTemplateDeployment",
  message: "The template deployment failed because of policy violation.",
  details: [
    {
      code: "RequestDisallowedByPolicy",
      message: "No virtual machines on Sundays.",
      target: "demo-x1x2x-master-0",
    },
  ],
});

/** Writes a log line in the installer's format, without the time and without quotes. */
function log(level: "info" | "error" | "fatal", message: string): void {
  for (const line of message.split("\n")) process.stderr.write(`level=${level} msg=${line}\n`);
}

function exit(message: string, level: "error" | "fatal" = "error"): never {
  log(level, message);
  process.exit(1);
}

function demand(holds: unknown, input: string): void {
  if (!holds) exit(`invalid ${input}`);
}

async function step(name: string): Promise<void> {
  await progress(`running step ${name}`);
}

async function progress(line: string): Promise<void> {
  log("info", line);
  if (!plan.holdAt || !line.includes(plan.holdAt)) return;
  while (!plan.releaseFile || !existsSync(plan.releaseFile))
    await new Promise((resolved) => setTimeout(resolved, 20));
}

function failStep(name: string, error: string): never {
  log("error", `step ${name} encountered error: ${error}`);
  exit(error);
}

const variables = {
  all: ["AZURE_FP_CLIENT_ID", "DOMAIN_NAME", "KEYVAULT_PREFIX", "UUID"],
  development: [
    ...["PROXY_HOSTNAME", "LOCATION", "RESOURCEGROUP", "AZURE_SUBSCRIPTION_ID", "AZURE_TENANT_ID"],
    ...["AZURE_RP_CLIENT_ID", "AZURE_RP_CLIENT_SECRET"],
  ],
  production: [
    ...["CLUSTER_MDSD_ACCOUNT", "CLUSTER_MDSD_CONFIG_VERSION", "CLUSTER_MDSD_NAMESPACE", "MDSD_ENVIRONMENT"],
    ...["GATEWAY_DOMAINS", "GATEWAY_RESOURCEGROUP", "ACR_RESOURCE_ID"],
  ],
};

function checkEnvironment(): void {
  const { env } = process;
  const mode = env.ARO_RP_MODE?.toLowerCase() === "development" ? "development" : "production";
  for (const name of [...variables.all, ...variables[mode]])
    if (!env[`ARO_${name}`]) exit(`environment variable "ARO_${name}" unset`);
  for (const name of ["proxy.crt", "proxy-client.crt", "proxy-client.key"]) {
    if (mode === "development" && !existsSync(place(`/.azure/${name}`)))
      exit(`open /.azure/${name}: no such file or directory`);
  }
  if (mode === "development")
    createPrivateKey({ key: readFileSync(place("/.azure/proxy-client.key")), format: "der", type: "pkcs1" });
  demand(env.OPENSHIFT_INSTALL_INVOKER === "hive", "OPENSHIFT_INSTALL_INVOKER");
  if (!env.OPENSHIFT_INSTALL_RELEASE_IMAGE_OVERRIDE)
    exit("no release image in 'OPENSHIFT_INSTALL_RELEASE_IMAGE_OVERRIDE'");
  // The service must not pass its own environment variables to the installer.
  const known = /^(?:PATH|HOME|ARO_\w+|OPENSHIFT_INSTALL_\w+|SSL_CERT_FILE|HTTPS_PROXY|PWD|OLDPWD|SHLVL|_)$/;
  const unknown = Object.keys(env).filter((name) => !known.test(name));
  demand(unknown.length === 0, `environment: ${unknown}`);
}

interface ClusterDocument {
  readonly id: string;
  readonly location: string;
  // biome-ignore lint/suspicious/noExplicitAny: the checks below read what they expect
  readonly properties: any;
}

function readDocument(): ClusterDocument {
  const read = (name: string) => JSON.parse(readFileSync(place(`/.azure/${name}`), "utf8"));
  const document: ClusterDocument = read("99_aro.json");
  const { properties } = document;
  demand(document.id.split("/").length === 9, "id");
  demand(/^[a-z0-9]+$/.test(document.location), "location");
  demand(properties.infraId && properties.storageSuffix, "infraId, storageSuffix");
  const key = { key: Buffer.from(properties.sshKey, "base64"), format: "der", type: "pkcs1" } as const;
  demand(createPrivateKey(key).asymmetricKeyType === "rsa", "sshKey");
  demand(properties.masterProfile.vmSize && properties.workerProfiles[0].vmSize, "profiles");
  demand(properties.networkProfile.podCidr && properties.networkProfile.serviceCidr, "networkProfile");
  demand(properties.networkProfile.privateEndpointIp, "privateEndpointIp");
  demand(properties.ingressProfiles[0].visibility, "ingressProfiles");
  demand(read("99_sub.json").properties.tenantId, "tenantId");
  demand(usesIdentities(document) || properties.servicePrincipalProfile.clientSecret, "service principal");
  const auths = { ...JSON.parse(process.env.ARO_PULL_SECRET ?? "{}").auths };
  demand(Object.keys(auths).length > 0 && !Object.hasOwn(auths, "cloud.openshift.com"), "pullSecret");
  return document;
}

function usesIdentities({ properties }: ClusterDocument): boolean {
  return properties.platformWorkloadIdentityProfile !== undefined;
}

/** Writes a file with the file mode that the real installer uses. The umask may remove bits of this mode. */
function write(path: string, content: string | Buffer): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o750 });
  writeFileSync(path, content, { mode: 0o640 });
}

const graphFile = join(plan.blobs, "aro", "graph");

/** Names and keys that were recorded from the output of the real installer. */
const golden: OutputShape = JSON.parse(
  readFileSync(new URL("golden/aro-installer.json", import.meta.url), "utf8"),
);

async function createManifests(document: ClusterDocument): Promise<void> {
  const { infraId } = document.properties;
  await step(`[Action ${manager}.Manifests.func1]`);
  if (plan.failure === "manifests")
    failStep(
      `[Action ${manager}.Manifests.func1]`,
      'controlPlane.platform.azure.type: Invalid value: "Standard_D8s_v3", the password=s3cr3t-in-a-message was refused',
    );
  if (usesIdentities(document)) {
    write(place(`/tmp/fpClientCertificate-${randomUUID()}.pem`), "certificate and key of the first party");
    const key = readFileSync(place("/boundsasigningkey/bound-service-account-signing-key.key"), "utf8");
    demand(/^-----BEGIN RSA PRIVATE KEY-----/.test(key), "bound service account signing key");
  }
  await step(`[Action ${manager}.Manifests.func2]`);
  const manifests: Record<string, string> = {};
  const names = readdirSync(place("/manifests")).filter((name) => /\.ya?ml$/.test(name));
  for (const name of names) {
    const text = readFileSync(place(`/manifests/${name}`), "utf8");
    demand(parse(text).kind, `/manifests/${name}`);
    manifests[name] = text;
  }
  if (names.length > 0) mkdirSync("manifests", { recursive: true });
  await step(`[Action ${manager}.Manifests.func3]`);
  const clusterId = process.env.ARO_UUID ?? "";
  const assets = JSON.parse(readFileSync(plan.assetsFile, "utf8"));
  const graph: Record<string, unknown> = {
    // The graph contains more assets than the service reads.
    ...Object.fromEntries(golden.assets.map((name) => [name, {}])),
    "*installconfig.ClusterID": { UUID: clusterId, InfraID: infraId },
    ...assets,
  };
  const { properties } = document;
  const baseDomain = process.env.ARO_DOMAIN_NAME ?? "";
  const clusterName: string = properties.clusterProfile.domain;
  const output = installerOutput({
    domain: `${clusterName}.${baseDomain}`,
    clusterName,
    clusterId,
    infraId,
    region: document.location,
    resourceGroup: String(properties.clusterProfile.resourceGroupId).split("/").at(-1) ?? "",
    baseDomain,
    apiServerAddress: String(properties.apiserverProfile.intIp),
    kubeadminPassword: assets["*password.KubeadminPassword"].Password,
    manifests,
  });
  // A blob that already exists is never replaced.
  if (!existsSync(graphFile)) {
    write(join(plan.blobs, "ignition", "bootstrap.ign"), output["bootstrap.ign"]);
    write(graphFile, sealGraph(JSON.stringify(graph), graphKey));
  }
  for (const name of ["Bootstrap", "Master", "Worker"])
    log("info", `resolving asset ${name} Ignition Config from graph`);
  for (const [path, content] of Object.entries(output)) write(path, content);
}

async function createCluster(): Promise<void> {
  const deploy = `[AuthorizationRefreshingAction [Action ${manager}.deployResourceTemplate-fm]]`;
  await step(deploy);
  if (!existsSync(graphFile)) failStep(deploy, "the blob aro/graph does not exist");
  JSON.parse(openGraph(readFileSync(graphFile), graphKey));
  if (plan.childPidFile) {
    const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
    child.unref();
    writeFileSync(plan.childPidFile, String(child.pid));
  }
  await progress("deploying resources template");
  if (plan.failure === "policy")
    failStep(deploy, `400: DeploymentFailed: : Deployment failed. Details: : : ${armError}`);
  await step(`[Action ${manager}.initializeKubernetesClients-fm]`);
  const ready = `[Condition ${manager}.bootstrapConfigMapReady-fm, timeout 1h0m0s]`;
  await step(ready);
  if (plan.failure === "bootstrap") failStep(ready, "timed out waiting for the condition");
}

const [first, second] = process.argv.slice(2);
if (first !== "create") exit(`Error executing openshift-install: unknown command "${first}"`, "fatal");
switch (second) {
  case "manifests":
  case "cluster": {
    checkEnvironment();
    const document = readDocument();
    await (second === "manifests" ? createManifests(document) : createCluster());
    break;
  }
  case "ignition-configs":
  case "install-config":
    process.stdout.write("Usage:\n  openshift-install create [command]\n");
    break;
  default:
    exit(`Error executing openshift-install: unknown command "${second}"`, "fatal");
}
