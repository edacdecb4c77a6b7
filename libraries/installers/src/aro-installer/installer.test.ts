import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createPrivateKey, randomUUID } from "node:crypto";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import process from "node:process";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { CloudError } from "@keelson/arm";
import { isCoded, issueCertificate, Secret, silentLogger } from "@keelson/base";
import type { OpenShiftCluster } from "@keelson/model";
import { preparedCluster, withIdentities } from "@keelson/model/testing";
import type { DevelopmentProxyFiles } from "../install/development-proxy.ts";
import type { InstallContext, ProgressReport } from "../install/install-context.ts";
import type { InstallState } from "../install/installer.ts";
import { openGraph } from "../install/sealed-graph.ts";
import type { DoublePlan } from "../testing/aro-installer-double.ts";
import { generatedAssets, kubeadminPassword } from "../testing/asset-graph.ts";
import { machineKey } from "../testing/machine-key.ts";
import { offlineContext } from "../testing/offline-context.ts";
import { graphKey } from "../testing/sealed-graph.ts";
import { InstallDirectory } from "./install-directory.ts";
import { type AroInstallerOptions, aroInstaller } from "./installer.ts";
import { inInstallerRoot } from "./installer-root.ts";

const double = fileURLToPath(new URL("../testing/aro-installer-double.ts", import.meta.url));
const crashing = fileURLToPath(new URL("../testing/crashing-service.ts", import.meta.url));
const command = [process.execPath, "--disable-warning=ExperimentalWarning", double];
const limit = AbortSignal.timeout(900_000);
const key = machineKey();

const root = mkdtempSync(join(tmpdir(), "keelson-installer-"));
const assetsFile = join(root, "assets.json");
after(() => rmSync(root, { recursive: true }));

const production = {
  AZURE_FP_CLIENT_ID: "c",
  DOMAIN_NAME: "eastus.example.org",
  KEYVAULT_PREFIX: "prefix",
  CLUSTER_MDSD_ACCOUNT: "a",
  CLUSTER_MDSD_CONFIG_VERSION: "1",
  CLUSTER_MDSD_NAMESPACE: "n",
  MDSD_ENVIRONMENT: "e",
  GATEWAY_DOMAINS: "d",
  GATEWAY_RESOURCEGROUP: "g",
  ACR_RESOURCE_ID: "r",
};

interface Rig {
  readonly installer: ReturnType<typeof aroInstaller>;
  readonly directory: InstallDirectory;
  /** Directory that simulates the storage account. */
  readonly blobs: string;
  readonly graphFile: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly reports: ProgressReport[];
  context(signal?: AbortSignal): InstallContext;
  /** All logged values. */
  readonly logged: unknown[];
}

interface RigOptions extends Partial<Omit<AroInstallerOptions, "command" | "readGraph">> {
  readonly plan?: Partial<DoublePlan>;
  readonly cluster?: OpenShiftCluster;
  readonly isBootstrapComplete?: boolean;
}

function rig({
  plan = {},
  cluster = preparedCluster(key),
  isBootstrapComplete,
  ...options
}: RigOptions = {}): Rig {
  const workDirectory = options.workDirectory ?? join(root, randomUUID());
  mkdirSync(workDirectory, { recursive: true });
  const blobs = plan.blobs ?? join(root, randomUUID());
  const graphFile = join(blobs, "aro", "graph");
  const documentId = randomUUID();
  const reports: ProgressReport[] = [];
  const logged: unknown[] = [];
  const keep = (fields: unknown) => void logged.push(fields);
  const logger = { ...silentLogger, info: keep, error: keep, warn: keep };
  const environment = { ...production, DOUBLE: JSON.stringify({ assetsFile, blobs, ...plan }) };
  return {
    installer: aroInstaller({
      command,
      timeoutMs: 120_000,
      pullSecret: new Secret(
        '{"auths":{"registry.example":{"auth":"eA=="},"cloud.openshift.com":{"auth":"eQ=="}}}',
      ),
      readGraph: async () =>
        existsSync(graphFile) ? openGraph(readFileSync(graphFile), graphKey) : undefined,
      isolate: async (_directory, _installs, args) => args,
      ...options,
      workDirectory,
      environment: { ...environment, ...options.environment },
    }),
    directory: new InstallDirectory(workDirectory, documentId),
    blobs,
    graphFile,
    environment,
    reports,
    logged,
    context(signal = limit) {
      const onReport = (progress: ProgressReport) => reports.push(progress);
      const context = offlineContext({ cluster, signal, documentId, onReport, logger });
      const status = isBootstrapComplete ? { data: { status: "complete" } } : undefined;
      return Object.create(context, { kube: { value: () => ({ find: async () => status }) } });
    },
  };
}

/** Result of one run of `create manifests`. The tests of `create cluster` start from this result. */
let template: { readonly blobs: string; readonly state: InstallState };
before(async () => {
  writeFileSync(assetsFile, JSON.stringify(await generatedAssets()));
  const made = rig();
  template = { blobs: made.blobs, state: await made.installer.generate(made.context()) };
});

function generated(options: RigOptions = {}): Rig & { readonly state: InstallState } {
  const made = rig(options);
  cpSync(template.blobs, made.blobs, { recursive: true });
  return { ...made, state: template.state };
}

const identity = (name: string) =>
  `/subscriptions/11111111-1111-4111-8111-111111111111/resourceGroups/identities/providers/Microsoft.ManagedIdentity/userAssignedIdentities/${name}`;

function identityCluster(): OpenShiftCluster {
  const operators = {
    "machine-api": identity("machine"),
    "image-registry": identity("registry"),
    "aro-operator": identity("operator"),
  };
  const cluster = withIdentities(preparedCluster(key), "https://identity", identity("own"), operators);
  const clusterProfile = {
    ...cluster.properties.clusterProfile,
    oidcIssuer: "https://issuer.example/t/d",
    boundServiceAccountSigningKey: key,
  };
  return { ...cluster, properties: { ...cluster.properties, clusterProfile } };
}

const pause = () => new Promise((resolve) => setTimeout(resolve, 20));

async function appears(path: string, text = ""): Promise<string> {
  for (;;) {
    limit.throwIfAborted();
    const found = existsSync(path) ? readFileSync(path, "utf8") : "";
    if (found !== "" && found.includes(text)) return found;
    await pause();
  }
}

const isAlive = (pid: number) => {
  try {
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return false;
  }
};

/** Waits until a process has exited. After a signal, a process needs a moment to exit. */
async function gone(pid: number): Promise<void> {
  while (isAlive(pid)) {
    limit.throwIfAborted();
    await pause();
  }
}

describe("an install", () => {
  test("reads the graph, creates the cluster, reports progress and leaves nothing behind", async () => {
    const { installer, directory, reports, context, graphFile, logged } = rig();
    const state = await installer.generate(context());
    assert.equal(state.kubeadminPassword, kubeadminPassword);
    assert.match(state.clusterId, /^[0-9a-f-]{36}$/);
    assert.deepEqual(
      [state.apiServer.url, state.apiServer.internalUrl],
      ["https://api.demo.eastus.example.org:6443", "https://api-int.demo.eastus.example.org:6443"],
    );
    const pair = await issueCertificate(state.kubeconfigSigner, {
      commonName: "system:admin",
      usage: "client",
      validDays: 1,
    });
    assert.ok(createPrivateKey(pair.privateKeyPem));
    for (const path of [directory.path, directory.files, join(directory.files, ".azure")])
      assert.equal(statSync(path).mode & 0o777, 0o700);
    const names = readdirSync(join(directory.files, ".azure")).toSorted();
    assert.deepEqual(names, ["99_aro.json", "99_sub.json", "osServicePrincipal.json"]);
    for (const name of names)
      assert.equal(statSync(join(directory.files, ".azure", name)).mode & 0o777, 0o600, name);
    assert.deepEqual(readdirSync(directory.workDirectory).toSorted(), [
      ...["auth", "bootstrap.ign", "manifests", "master.ign", "metadata.json", "worker.ign"],
    ]);
    const subscription = JSON.parse(readFileSync(join(directory.files, ".azure", "99_sub.json"), "utf8"));
    assert.equal(subscription.properties.tenantId, context().tenantId);
    // A second call reads the stored graph and starts no process.
    const stored = readFileSync(graphFile);
    directory.remove();
    assert.deepEqual(await installer.generate(context()), state);
    assert.ok(!existsSync(directory.path));

    await installer.createMachines(context(), state);
    assert.deepEqual(readFileSync(graphFile), stored);
    // Only the last report is checked, because the polls may miss earlier milestones.
    assert.equal(reports.at(-1)?.activity, "waiting for bootstrapping to complete");
    const fractions = reports.map(({ fraction }) => fraction);
    assert.deepEqual(
      fractions,
      fractions.toSorted((a, b) => a - b),
    );
    assert.ok(!JSON.stringify(logged).includes(kubeadminPassword));
    // The method can be called again.
    await installer.createMachines(context(), state);
    await installer.finish(context());
    assert.ok(!existsSync(directory.path));
  });

  test("with managed identities passes their secrets, issuer and signing key", async () => {
    const { installer, directory, context } = rig({ cluster: identityCluster() });
    await installer.generate(context());
    assert.deepEqual(readdirSync(join(directory.files, ".azure")).toSorted(), ["99_aro.json", "99_sub.json"]);
    assert.match(readdirSync(join(directory.files, "tmp")).join(), /^fpClientCertificate-.*\.pem$/);
    assert.deepEqual(readdirSync(join(directory.files, "manifests")).toSorted(), [
      "azure-ad-pod-identity-webhook-config.yaml",
      "cluster-authentication-02-config.yaml",
      "cluster-config-samples.yaml",
      "openshift-image-registry-installer-cloud-credentials-credentials.yaml",
      "openshift-machine-api-azure-cloud-credentials-credentials.yaml",
    ]);
    await installer.forget(context());
    assert.ok(!existsSync(directory.path));
  });

  test("in development mode passes the files of the proxy as bytes", async () => {
    const encoded = (bytes: Buffer) => new Secret(bytes.toString("base64"));
    const certificate = encoded(Buffer.from([0x30, 0x82, 0xff]));
    const developmentProxy: DevelopmentProxyFiles = {
      "proxy.crt": certificate,
      "proxy-client.crt": certificate,
      "proxy-client.key": encoded(createPrivateKey(key.reveal()).export({ type: "pkcs1", format: "der" })),
    };
    const names = ["PROXY_HOSTNAME", "LOCATION", "RESOURCEGROUP", "AZURE_SUBSCRIPTION_ID", "AZURE_TENANT_ID"];
    const environment = Object.fromEntries(
      [...names, "AZURE_RP_CLIENT_ID", "AZURE_RP_CLIENT_SECRET"].map((name) => [name, "x"]),
    );
    const made = rig({ developmentProxy, environment: { ...environment, RP_MODE: "development" } });
    assert.ok(await made.installer.generate(made.context()));
    assert.deepEqual(
      readFileSync(join(made.directory.files, ".azure", "proxy.crt")),
      Buffer.from([0x30, 0x82, 0xff]),
    );
    const without = rig({ environment: { ...environment, RP_MODE: "development" } });
    await assert.rejects(without.installer.generate(without.context()), (error) => {
      assert.ok(error instanceof CloudError && isCoded(error.cause, "InstallerFailed"));
      return /open \/\.azure\/proxy\.crt: no such file/.test(error.cause.message);
    });
  });

  test("runs the installer in a private root", async (t) => {
    // The test uses a directory outside of `/tmp`, because the installer has a private `/tmp`.
    const visible = mkdtempSync("/var/tmp/keelson-installer-");
    try {
      const plan = { assetsFile: join(visible, "assets.json"), blobs: join(visible, "blobs") };
      cpSync(assetsFile, plan.assetsFile);
      const made = rig({ plan, isolate: inInstallerRoot });
      const state = await made.installer.generate(made.context()).catch((error: unknown) => {
        if (!isCoded(error, "InstallerUnavailable")) throw error;
        t.skip("this process may not create a mount namespace");
      });
      if (!state) return;
      assert.equal(state.kubeadminPassword, kubeadminPassword);
      await made.installer.createMachines(made.context(), state);
      assert.equal(made.reports.at(-1)?.activity, "waiting for bootstrapping to complete");
      assert.ok(!existsSync("/.azure/99_aro.json"));
    } finally {
      rmSync(visible, { recursive: true });
    }
  });

  test("continues with the running installer after the service was killed", async () => {
    const releaseFile = join(root, randomUUID());
    const plan = { holdAt: "deploying resources", releaseFile };
    const { installer, directory, context, state, environment } = generated({
      plan,
      isBootstrapComplete: true,
    });
    const options = { command, workDirectory: join(directory.path, ".."), environment };
    const request = JSON.stringify({ options, documentId: basename(directory.path) });
    const service = spawn(process.execPath, [...command.slice(1, -1), crashing, request], {
      stdio: "inherit",
    });
    const ended = once(service, "exit");
    await appears(directory.logFile, "deploying resources");
    // The record is written only after the process has started, so the test waits for it.
    await appears(join(directory.path, "install.json"));
    service.kill("SIGKILL");
    await ended;
    const pid = directory.record()?.process.pid ?? 0;
    assert.ok(isAlive(pid));
    const continued = installer.createMachines(context(), state);
    writeFileSync(releaseFile, "");
    await continued;
    await gone(pid);
    assert.equal(directory.record()?.process.pid, pid);
  });

  test("starts the command again after the service stopped its installer", async () => {
    const childPidFile = join(root, randomUUID());
    const releaseFile = join(root, randomUUID());
    const plan = { holdAt: "deploying resources", childPidFile, releaseFile };
    const { installer, directory, context, state } = generated({ plan });
    const stop = new AbortController();
    const running = installer.createMachines(context(stop.signal), state);
    const child = Number(await appears(childPidFile));
    await appears(directory.logFile, "deploying resources");
    stop.abort(new Error("abandoned"));
    await assert.rejects(running, /abandoned/);
    // All processes of the group must exit.
    await gone(child);
    writeFileSync(releaseFile, "");
    await installer.createMachines(context(), state);
    assert.match(readFileSync(directory.logFile, "utf8"), /bootstrapConfigMapReady/);
    const started = Number(readFileSync(childPidFile, "utf8"));
    process.kill(started, "SIGKILL");
    await installer.forget(context());
    assert.ok(!existsSync(directory.path));
  });

  test("removes directories that are older than a day, unless their installer runs", async () => {
    const { installer, directory, context } = rig({ plan: { failure: "manifests" } });
    const workDirectory = join(directory.path, "..");
    const leave = (name: string, ageMs: number, pid: number) => {
      const left = new InstallDirectory(workDirectory, name);
      left.create();
      left.write({ target: "cluster", process: { pid, startedAt: pid === process.pid ? "" : "0" } });
      const then = new Date(Date.now() - ageMs);
      utimesSync(join(left.path, "install.json"), then, then);
    };
    const hourMs = 3_600_000;
    leave("old", 25 * hourMs, 4_194_304);
    leave("running", 25 * hourMs, process.pid);
    leave("recent", 23 * hourMs, 4_194_304);
    await assert.rejects(installer.generate(context()));
    assert.deepEqual(readdirSync(workDirectory).toSorted(), ["recent", "running"]);
  });

  test("without output for its time limit is stopped", async () => {
    const { installer, directory, context, state } = generated({
      plan: { holdAt: "deploying resources" },
      timeoutMs: 300,
    });
    await assert.rejects(
      installer.createMachines(context(), state),
      (error) => isCoded(error, "InstallerFailed") && /within 300 ms/.test(error.message),
    );
    assert.ok(!existsSync(directory.path));
  });
});

describe("a failed install", () => {
  test("by a policy shows Azure's error", async () => {
    const { installer, directory, context, state } = generated({ plan: { failure: "policy" } });
    await assert.rejects(installer.createMachines(context(), state), (error) => {
      assert.ok(error instanceof CloudError);
      assert.equal(error.status, 400);
      assert.deepEqual(error.body, {
        code: "DeploymentFailed",
        message:
          "Deployment failed due to RequestDisallowedByPolicy. Please see details for more information.",
        details: [
          {
            code: "RequestDisallowedByPolicy",
            message: "No virtual machines on Sundays.",
            target: "demo-x1x2x-master-0",
          },
        ],
      });
      return true;
    });
    assert.ok(!existsSync(directory.path));
  });

  test("by an unknown error shows the last error of the installer, and logs no password", async () => {
    const { installer, directory, context, logged } = rig({ plan: { failure: "manifests" } });
    await assert.rejects(installer.generate(context()), (error) => {
      assert.ok(error instanceof CloudError);
      assert.deepEqual(
        [error.status, error.body.code, error.body.details?.[0]?.code],
        [500, "InternalServerError", "UnknownError"],
      );
      assert.match(error.body.details?.[0]?.message ?? "", /azure\.type: Invalid value/);
      assert.ok(isCoded(error.cause, "InstallerFailed"));
      assert.match(error.cause.message, /exited with code 1: .*azure\.type/);
      assert.ok(!JSON.stringify([error.body, error.cause.message]).includes("s3cr3t"));
      return true;
    });
    const text = JSON.stringify(logged);
    assert.match(text, /running step .*Manifests\.func1/);
    assert.ok(!text.includes("s3cr3t"));
    assert.ok(!existsSync(directory.path));
  });

  test("of a bootstrap that does not complete names the condition", async () => {
    const { installer, context, state } = generated({ plan: { failure: "bootstrap" } });
    await assert.rejects(installer.createMachines(context(), state), (error) => {
      assert.ok(error instanceof CloudError);
      return /timed out waiting for the condition/.test(error.body.details?.[0]?.message ?? "");
    });
  });

  test("without the program names it", async () => {
    const { directory, context } = rig();
    const installer = aroInstaller({
      command: ["/nowhere/openshift-install"],
      workDirectory: join(directory.path, ".."),
      pullSecret: new Secret('{"auths":{"r":{}}}'),
      readGraph: async () => undefined,
      isolate: async (_directory, _installs, args) => args,
    });
    await assert.rejects(
      installer.generate(context()),
      (error) => isCoded(error, "InstallerUnavailable") && /\/nowhere\/openshift-install/.test(error.message),
    );
  });

  test("without a pull secret names the setting", async () => {
    const { directory, context } = rig();
    const installer = aroInstaller({
      command,
      workDirectory: join(directory.path, ".."),
      readGraph: async () => undefined,
    });
    await assert.rejects(
      installer.generate(context()),
      (error) => isCoded(error, "PullSecretMissing") && /installer\.pullSecretFile/.test(error.message),
    );
  });

  test("without a graph after a success is reported", async () => {
    const made = rig();
    const installer = aroInstaller({
      command: ["/bin/true"],
      workDirectory: join(made.directory.path, ".."),
      pullSecret: new Secret('{"auths":{"r":{}}}'),
      readGraph: async () => undefined,
      isolate: async (_directory, _installs, args) => args,
    });
    await assert.rejects(
      installer.generate(made.context()),
      (error) => isCoded(error, "InvalidAssetGraph") && /stored no graph/.test(error.message),
    );
  });
});
