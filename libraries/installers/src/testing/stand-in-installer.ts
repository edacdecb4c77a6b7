/**
 * Stands in for `openshift-install` in tests: the same commands, files and lines, and none of the machines. It is strict
 * about what it is given. What goes wrong, `STAND_IN` says (JSON of `StandInPlan`).
 */
import { spawn } from "node:child_process";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { parse } from "yaml";

export interface StandInPlan {
  /** File with the assets that it generates, JSON. */
  readonly assetsFile: string;
  /** What `create cluster` meets. */
  readonly failure?: "policy" | "quota" | "manifests";
  /** Goes no further than these words until `releaseFile` exists. */
  readonly holdAt?: string;
  readonly releaseFile?: string;
  /** A process that it starts writes its own ID there. */
  readonly childPidFile?: string;
  readonly hasIdentities?: boolean;
}

const plan: StandInPlan = JSON.parse(process.env.STAND_IN ?? "{}");
const args = process.argv.slice(2);
const folder = args[args.indexOf("--dir") + 1] ?? "";
const stateFile = join(folder, ".openshift_install_state.json");

const milestones = [
  "Creating infrastructure resources...",
  "Network infrastructure is ready",
  "Control-plane machines are ready",
  "Waiting up to 20m0s (until 10:41AM UTC) for the Kubernetes API at https://api.demo.eastus.example.org:6443...",
  "API v1.32.9 up",
  "Waiting up to 45m0s (until 11:06AM UTC) for bootstrapping to complete...",
  "Destroying the bootstrap resources...",
  "Waiting up to 40m0s (until 11:11AM UTC) for the cluster at https://api.demo.eastus.example.org:6443 to initialize...",
  "Install complete!",
  'Login to the console with user: \\"kubeadmin\\", and password: \\"aBc12-dEf34-gHi56-jKl78\\"',
];

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

function say(level: "info" | "error" | "fatal", message: string): void {
  const line = `time="2026-01-01T10:00:00Z" level=${level} msg=${level === "info" ? `"${message}"` : message}`;
  process.stderr.write(`${line.slice(line.indexOf("level="))}\n`);
  appendFileSync(join(folder, ".openshift_install.log"), `${line}\n`);
}

function demand(holds: unknown, what: string): void {
  if (holds) return;
  say("fatal", `failed to fetch ${args[1]}: invalid ${what}`);
  process.exit(3);
}

function readState(): Record<string, unknown> {
  return existsSync(stateFile) ? JSON.parse(readFileSync(stateFile, "utf8")) : {};
}

function writeState(added: Record<string, unknown>): void {
  writeFileSync(stateFile, JSON.stringify({ ...readState(), ...added }, null, 4), { mode: 0o640 });
}

function put(name: string, text: string): void {
  mkdirSync(join(folder, name, ".."), { recursive: true });
  writeFileSync(join(folder, name), text);
}

function checkEnvironment(): void {
  const { env } = process;
  demand(env.OPENSHIFT_INSTALL_INVOKER === "hive", "OPENSHIFT_INSTALL_INVOKER");
  demand(env.OPENSHIFT_INSTALL_RELEASE_IMAGE_OVERRIDE?.includes("ocp-release:4.19.24"), "release image");
  demand(/^[0-9a-f-]{36}$/.test(env.ARO_UUID ?? ""), "ARO_UUID");
  const credentials = JSON.parse(readFileSync(env.AZURE_AUTH_LOCATION ?? "", "utf8"));
  for (const member of ["subscriptionId", "clientId", "clientSecret", "tenantId"])
    demand(credentials[member], `osServicePrincipal.json: ${member}`);
  // None of the variables of the service itself.
  const known = /^(?:HOME|TMPDIR|AZURE_AUTH_LOCATION|ARO_UUID|OPENSHIFT_INSTALL_\w+|STAND_IN|SSL_CERT_FILE)$/;
  const strange = Object.keys(env).filter((name) => !known.test(name));
  demand(strange.length === 0, `environment: ${strange}`);
}

const configMembers = [
  ...[
    "additionalTrustBundle",
    "apiVersion",
    "baseDomain",
    "capabilities",
    "compute",
    "controlPlane",
    "credentialsMode",
  ],
  ...["fips", "imageDigestSources", "metadata", "networking", "platform", "publish", "pullSecret", "sshKey"],
];

function createInstallConfig(): void {
  const config = parse(readFileSync(join(folder, "install-config.yaml"), "utf8"));
  for (const member of Object.keys(config))
    demand(configMembers.includes(member), `install-config.yaml: unknown ${member}`);
  const { azure } = config.platform;
  demand(config.apiVersion === "v1", "apiVersion");
  demand(config.metadata.name === "demo" && config.baseDomain === "eastus.example.org", "domain");
  demand(/^ssh-rsa AAAA/.test(config.sshKey), "sshKey");
  demand(Object.keys(JSON.parse(config.pullSecret).auths).length > 0, "pullSecret");
  demand(config.controlPlane.name === "master" && config.controlPlane.replicas === 3, "controlPlane");
  demand(config.compute.length === 1 && config.compute[0].replicas === 4, "compute");
  for (const pool of [config.controlPlane, ...config.compute]) {
    const { type, osDisk, osImage, zones } = pool.platform.azure;
    demand(
      /^Standard_/.test(type) && osDisk.diskSizeGB >= 128 && zones.length === 3,
      `machines of ${pool.name}`,
    );
    demand(osImage.publisher && osImage.offer && osImage.sku && osImage.version, `image of ${pool.name}`);
  }
  demand(azure.region === "eastus" && azure.cloudName === "AzurePublicCloud", "platform");
  demand(
    azure.resourceGroupName === "aro-demo" && azure.networkResourceGroupName === "network",
    "resource groups",
  );
  demand(azure.virtualNetwork === "vnet" && azure.controlPlaneSubnet === "master", "network");
  demand(azure.computeSubnet === "worker" && azure.outboundType === "Loadbalancer", "network");
  demand(config.networking.clusterNetwork[0].hostPrefix === 23, "networking");
  demand((config.credentialsMode === "Manual") === (plan.hasIdentities ?? false), "credentialsMode");
  writeState({ "*installconfig.InstallConfig": { config } });
}

function createManifests(): void {
  const state = readState();
  demand(state["*installconfig.InstallConfig"], "state: no InstallConfig");
  if (plan.failure === "manifests") {
    say(
      "error",
      'failed to fetch Manifests: platform.azure.controlPlane.type: Invalid value: \\"Standard_D8s_v3\\"',
    );
    process.exit(3);
  }
  writeState({
    "*installconfig.ClusterID": state["*installconfig.ClusterID"] ?? { UUID: "u", InfraID: "demo-other" },
  });
  rmSync(join(folder, "install-config.yaml"), { force: true });
  put("manifests/cluster-config.yaml", "kind: ConfigMap");
  put("openshift/99_openshift-machineconfig_99-master-ssh.yaml", "kind: MachineConfig");
}

function createIgnitionConfigs(): void {
  const manifests = Object.fromEntries(
    readdirSync(join(folder, "manifests")).map((name) => [
      name,
      parse(readFileSync(join(folder, "manifests", name), "utf8")),
    ]),
  );
  demand(manifests["cluster-config.yaml"], "manifests: its own are gone");
  demand(manifests["cluster-config-samples.yaml"]?.spec.managementState === "Removed", "samples");
  const key = join(folder, "tls", "bound-service-account-signing-key.key");
  demand(existsSync(key) === (plan.hasIdentities ?? false), "key of service accounts");
  if (plan.hasIdentities) {
    const names = Object.keys(manifests).filter((name) => name.endsWith("-credentials.yaml"));
    demand(names.length === 2, `credentials of identities: ${names}`);
    for (const name of names) demand(manifests[name].stringData.azure_federated_token_file, name);
    demand(manifests["azure-ad-pod-identity-webhook-config.yaml"].stringData.azure_tenant_id, "tenant");
    demand(manifests["cluster-authentication-02-config.yaml"].spec.serviceAccountIssuer, "Authentication");
    demand(/^-----BEGIN RSA PRIVATE KEY-----/.test(readFileSync(key, "utf8")), "key of service accounts");
  }
  for (const name of ["manifests", "openshift", "tls"])
    rmSync(join(folder, name), { recursive: true, force: true });
  writeState(JSON.parse(readFileSync(plan.assetsFile, "utf8")));
  for (const name of ["bootstrap.ign", "master.ign", "worker.ign"])
    put(name, '{"ignition":{"version":"3.2.0"}}');
  put("auth/kubeconfig", "kind: Config");
  put("auth/kubeadmin-password", "aBc12-dEf34-gHi56-jKl78");
  put(
    "metadata.json",
    JSON.stringify({ clusterName: "demo", infraID: "demo-x1x2x", azure: { region: "eastus" } }),
  );
}

async function createCluster(): Promise<void> {
  demand(existsSync(join(folder, "metadata.json")) && existsSync(join(folder, "bootstrap.ign")), "ignition");
  demand(!existsSync(join(folder, ".clusterapi_output")), "folder: there may already be a running cluster");
  put(".clusterapi_output/kubeconfig", "kind: Config");
  if (plan.childPidFile) {
    const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
    writeFileSync(plan.childPidFile, String(child.pid));
  }
  for (const line of milestones) {
    say("info", line);
    if (plan.holdAt && line.includes(plan.holdAt)) await released();
    if (line.startsWith("Creating infrastructure") && plan.failure === "policy") {
      say("error", `400: DeploymentFailed: : Deployment failed. Details: : : ${armError}`);
      process.exit(1);
    }
    if (line.startsWith("Waiting up to 20m0s") && plan.failure === "quota") {
      say("error", '"failed to create cluster: clientSecret=s3cr3t-in-a-message was refused"');
      say("fatal", "failed to fetch Cluster");
      process.exit(4);
    }
  }
}

async function released(): Promise<void> {
  while (!plan.releaseFile || !existsSync(plan.releaseFile))
    await new Promise((resolve) => setTimeout(resolve, 20));
}

demand(args.includes("--dir") && args[args.indexOf("--log-level") + 1] === "info", "arguments");
checkEnvironment();
switch (args.slice(0, 2).join(" ")) {
  case "create install-config":
    createInstallConfig();
    break;
  case "create manifests":
    createManifests();
    break;
  case "create ignition-configs":
    createIgnitionConfigs();
    break;
  case "create cluster":
    await createCluster();
    break;
  case "wait-for bootstrap-complete":
    say("info", "It is now safe to remove the bootstrap resources");
    break;
  default:
    demand(false, "command");
}
