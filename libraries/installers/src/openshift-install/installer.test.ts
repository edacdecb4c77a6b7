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
import type { InstallContext, ProgressReport } from "../install/install-context.ts";
import type { InstallState } from "../install/installer.ts";
import { generatedAssets, kubeadminPassword } from "../testing/asset-graph.ts";
import { machineKey } from "../testing/machine-key.ts";
import { offlineContext } from "../testing/offline-context.ts";
import type { StandInPlan } from "../testing/stand-in-installer.ts";
import { openshiftInstaller } from "./installer.ts";
import { WorkingFolder } from "./working-folder.ts";

const standIn = fileURLToPath(new URL("../testing/stand-in-installer.ts", import.meta.url));
const crashing = fileURLToPath(new URL("../testing/crashing-service.ts", import.meta.url));
const command = [process.execPath, "--disable-warning=ExperimentalWarning", standIn];
const limit = AbortSignal.timeout(900_000);
const key = machineKey();

const root = mkdtempSync(join(tmpdir(), "keelson-installer-"));
const assetsFile = join(root, "assets.json");
after(() => rmSync(root, { recursive: true }));

interface Rig {
  readonly installer: ReturnType<typeof openshiftInstaller>;
  readonly folder: WorkingFolder;
  readonly reports: ProgressReport[];
  context(signal?: AbortSignal): InstallContext;
  /** Everything that was logged. */
  readonly logged: unknown[];
}

function rig(plan: Partial<StandInPlan> = {}, cluster = preparedCluster(key), timeoutMs = 120_000): Rig {
  const workingFolder = join(root, randomUUID());
  mkdirSync(workingFolder);
  const documentId = randomUUID();
  const reports: ProgressReport[] = [];
  const logged: unknown[] = [];
  const keep = (fields: unknown) => void logged.push(fields);
  const logger = { ...silentLogger, info: keep, error: keep, warn: keep };
  return {
    installer: openshiftInstaller({
      command,
      workingFolder,
      timeoutMs,
      pullSecret: new Secret(
        '{"auths":{"registry.example":{"auth":"eA=="},"cloud.openshift.com":{"auth":"eQ=="}}}',
      ),
      serviceCredentials: new Secret(
        '{"subscriptionId":"s","clientId":"c","clientSecret":"the service","tenantId":"t"}',
      ),
      environment: { STAND_IN: JSON.stringify({ assetsFile, ...plan }) },
    }),
    folder: new WorkingFolder(workingFolder, documentId),
    reports,
    logged,
    context: (signal = limit) =>
      offlineContext({
        cluster,
        signal,
        documentId,
        onReport: (progress) => reports.push(progress),
        logger,
      }),
  };
}

interface Generated extends Rig {
  readonly state: InstallState;
}

/** What one run of the installer has generated, copied for each. */
let template: Generated;
before(async () => {
  writeFileSync(assetsFile, JSON.stringify(await generatedAssets()));
  const made = rig();
  template = { ...made, state: await made.installer.generate(made.context()) };
});

function generated(plan: Partial<StandInPlan> = {}, timeoutMs?: number): Generated {
  const made = rig(plan, preparedCluster(key), timeoutMs);
  cpSync(template.folder.path, made.folder.path, { recursive: true });
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
  const { platformWorkloadIdentities = {} } = cluster.properties.platformWorkloadIdentityProfile ?? {};
  const known = Object.entries(platformWorkloadIdentities).map(([name, identity]) => [
    name,
    { ...identity, clientId: randomUUID(), objectId: randomUUID() },
  ]);
  const clusterProfile = {
    ...cluster.properties.clusterProfile,
    oidcIssuer: "https://issuer.example/t/d",
    boundServiceAccountSigningKey: key,
  };
  const platformWorkloadIdentityProfile = { platformWorkloadIdentities: Object.fromEntries(known) };
  return {
    ...cluster,
    properties: { ...cluster.properties, clusterProfile, platformWorkloadIdentityProfile },
  };
}

async function appears(path: string): Promise<string> {
  while (!existsSync(path) || readFileSync(path, "utf8") === "") {
    limit.throwIfAborted();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return readFileSync(path, "utf8");
}

const isAlive = (pid: number) => {
  try {
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return false;
  }
};

/** What a signal has ended may take a moment to be gone. */
async function gone(pid: number): Promise<void> {
  while (isAlive(pid)) {
    limit.throwIfAborted();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe("an install", () => {
  test("hands over what was generated, makes the cluster, tells how far it is, and leaves nothing behind", async () => {
    const { installer, folder, reports, context, state, logged } = generated();
    assert.equal(state.kubeadminPassword, kubeadminPassword);
    assert.match(state.clusterId, /^[0-9a-f-]{36}$/);
    assert.deepEqual(
      [state.apiServer.url, state.apiServer.internalUrl],
      ["https://api.demo.eastus.example.org:6443", "https://api-int.demo.eastus.example.org:6443"],
    );
    assert.match(state.apiServer.internalCaPem ?? "", /^-----BEGIN CERTIFICATE-----/);
    // The authority signs kubeconfigs.
    const pair = await issueCertificate(state.kubeconfigSigner, {
      commonName: "system:admin",
      usage: "client",
      validDays: 1,
    });
    assert.ok(createPrivateKey(pair.privateKeyPem));
    for (const path of [template.folder.path, template.folder.assets])
      assert.equal(statSync(path).mode & 0o777, 0o700);
    for (const name of readdirSync(join(template.folder.path, "azure")))
      assert.equal(statSync(join(template.folder.path, "azure", name)).mode & 0o777, 0o600, name);
    // What was generated is what is stored, however often it is asked for.
    assert.deepEqual(await installer.generate(context()), state);

    await installer.createMachines(context(), state);
    const last = reports.at(-1);
    assert.deepEqual(last, { fraction: 1, activity: "install complete" });
    const fractions = reports.map(({ fraction }) => fraction);
    assert.deepEqual(
      fractions,
      fractions.toSorted((a, b) => a - b),
    );
    assert.ok(!JSON.stringify([logged, template.logged]).includes(kubeadminPassword));
    // Started twice, it would find a cluster there.
    await installer.createMachines(context(), state);
    await installer.finish(context());
    assert.ok(!existsSync(folder.path));
  });

  test("of a cluster with managed identities brings their secrets, issuer and key", async () => {
    const { installer, context } = rig({ hasIdentities: true }, identityCluster());
    const state = await installer.generate(context());
    assert.equal(state.kubeadminPassword, kubeadminPassword);
    await installer.forget(context());
  });

  test("goes on when the service was killed, with the installer that still runs", async () => {
    const releaseFile = join(root, randomUUID());
    const plan = { holdAt: "API v1", releaseFile };
    const { installer, folder, context, state, reports } = generated(plan);
    const options = {
      command,
      workingFolder: join(folder.path, ".."),
      environment: { STAND_IN: JSON.stringify({ assetsFile, ...plan }) },
    };
    const request = JSON.stringify({ options, documentId: basename(folder.path) });
    const service = spawn(process.execPath, [...command.slice(1, -1), crashing, request], {
      stdio: "inherit",
    });
    const ended = once(service, "exit");
    while (!existsSync(folder.outputFile) || !readFileSync(folder.outputFile, "utf8").includes("API v1")) {
      assert.equal(service.exitCode, null);
      limit.throwIfAborted();
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    service.kill("SIGKILL");
    await ended;
    const pid = folder.record()?.process?.pid ?? 0;
    assert.ok(isAlive(pid));
    const goingOn = installer.createMachines(context(), state);
    writeFileSync(releaseFile, "");
    await goingOn;
    await gone(pid);
    assert.equal(folder.record()?.stage, "created");
    assert.equal(reports.at(-1)?.fraction, 1);
  });

  test("that was ended when all infrastructure was there goes on by waiting", async () => {
    const childPidFile = join(root, randomUUID());
    const { installer, folder, context, state } = generated({ holdAt: "Kubernetes API", childPidFile });
    const stop = new AbortController();
    const running = installer.createMachines(context(stop.signal), state);
    const child = Number(await appears(childPidFile));
    while (!readFileSync(folder.outputFile, "utf8").includes("Kubernetes API"))
      await new Promise((resolve) => setTimeout(resolve, 20));
    stop.abort(new Error("abandoned"));
    await assert.rejects(running, /abandoned/);
    // With all that it had started.
    await gone(child);
    await installer.createMachines(context(), state);
    assert.match(readFileSync(folder.outputFile, "utf8"), /safe to remove the bootstrap resources/);
    await installer.forget(context());
    assert.ok(!existsSync(folder.path));
  });

  test("that was ended earlier is refused, and says what to do", async () => {
    const childPidFile = join(root, randomUUID());
    const { installer, folder, context, state } = generated({
      holdAt: "Creating infrastructure",
      childPidFile,
    });
    const stop = new AbortController();
    const running = installer.createMachines(context(stop.signal), state);
    await appears(childPidFile);
    stop.abort(new Error("abandoned"));
    await assert.rejects(running, /abandoned/);
    await assert.rejects(
      installer.createMachines(context(), state),
      (error) => isCoded(error, "InstallationInterrupted") && /delete the cluster/.test(error.message),
    );
    assert.ok(!existsSync(folder.path));
    await assert.rejects(
      installer.createMachines(context(), state),
      (error) => isCoded(error, "InstallationElsewhere") && error.message.includes(folder.path),
    );
  });

  test("removes what others have left behind for more than a day, unless it still runs", async () => {
    const { installer, folder, context } = rig({ failure: "manifests" });
    const workingFolder = join(folder.path, "..");
    const leave = (name: string, ageMs: number, pid?: number) => {
      const left = new WorkingFolder(workingFolder, name);
      left.create();
      left.write({ infraId: "x", stage: "creating", ...(pid ? { process: { pid, startedAt: "" } } : {}) });
      const then = new Date(Date.now() - ageMs);
      utimesSync(join(left.path, "install.json"), then, then);
    };
    const hourMs = 3_600_000;
    leave("old", 25 * hourMs);
    leave("running", 25 * hourMs, process.pid);
    leave("recent", 23 * hourMs);
    await assert.rejects(installer.generate(context()));
    assert.deepEqual(readdirSync(workingFolder).toSorted(), ["recent", "running"]);
  });

  test("that takes too long is ended", async () => {
    const { installer, folder, context, state } = generated({ holdAt: "Creating infrastructure" }, 300);
    await assert.rejects(
      installer.createMachines(context(), state),
      (error) => isCoded(error, "InstallerFailed") && /within 300 ms/.test(error.message),
    );
    assert.ok(!existsSync(folder.path));
  });
});

describe("what the customer is told when", () => {
  test("a policy forbids the machines", async () => {
    const { installer, folder, context, state } = generated({ failure: "policy" });
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
    assert.ok(!existsSync(folder.path));
  });

  test("the installer fails for reasons of its own: nothing but that, and the log has its words without secrets", async () => {
    const { installer, context, state, logged } = generated({ failure: "quota" });
    await assert.rejects(installer.createMachines(context(), state), (error) => {
      assert.ok(error instanceof CloudError);
      assert.deepEqual(
        [error.status, error.body],
        [500, { code: "InternalServerError", message: "Deployment failed." }],
      );
      assert.ok(isCoded(error.cause, "InstallerFailed"));
      assert.match(error.cause.message, /ended with code 4: .*failed to create cluster/);
      assert.ok(!error.cause.message.includes("s3cr3t"));
      return true;
    });
    const text = JSON.stringify(logged);
    assert.match(text, /failed to fetch Cluster/);
    assert.ok(!text.includes("s3cr3t"));
  });

  test("what it is given is wrong", async () => {
    const { installer, folder, context } = rig({ failure: "manifests" });
    await assert.rejects(installer.generate(context()), (error) => {
      assert.ok(error instanceof CloudError && isCoded(error.cause, "InstallerFailed"));
      assert.match(error.cause.message, /controlPlane\.type/);
      return true;
    });
    assert.ok(!existsSync(folder.path));
  });

  test("the program is not there", async () => {
    const { folder, context } = rig();
    const workingFolder = join(folder.path, "..");
    const pullSecret = new Secret('{"auths":{"r":{}}}');
    const installer = openshiftInstaller({
      command: ["/nowhere/openshift-install"],
      workingFolder,
      pullSecret,
    });
    await assert.rejects(
      installer.generate(context()),
      (error) => isCoded(error, "InstallerUnavailable") && /installer\.command/.test(error.message),
    );
  });

  test("there is nothing to pull images with", async () => {
    const { folder, context } = rig();
    const installer = openshiftInstaller({ command, workingFolder: join(folder.path, "..") });
    await assert.rejects(
      installer.generate(context()),
      (error) => isCoded(error, "PullSecretMissing") && /installer\.pullSecretFile/.test(error.message),
    );
  });
});
