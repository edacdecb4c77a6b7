import type { ChildProcess } from "node:child_process";
import { writeFileSync } from "node:fs";
import process from "node:process";
import { setTimeout as delay } from "node:timers/promises";
import { listAt, spawnBound, stringAt } from "@keelson/base";
import { freePort } from "@keelson/base/testing";
import { type KubeObject, resources } from "@keelson/kube";
import { operatorKey } from "@keelson/operator-kit";
import { type KitCluster, kitServers } from "@keelson/operator-kit/testing";
import { openShiftCrds } from "@keelson/sim-openshift/testing";
import { manifests } from "../operators/kube-apiserver/src/manifests.ts";
import { Rollout } from "../operators/kube-apiserver/src/testing/rollout.ts";
import { addMasters, TestKubelets } from "../operators/kube-apiserver/src/testing/test-kubelets.ts";
import {
  fillRecoveryToken,
  seedAuthorities,
  seedConfiguration,
} from "../operators/kube-apiserver/src/testing/test-operator.ts";
import { StateDirectory } from "../tests/e2e/support/program.ts";
import { allOf, type CountingProxy, countsSince, startCountingProxy } from "./support/counting-proxy.ts";
import { median } from "./support/median.ts";
import { residentMegabytes } from "./support/operator-process.ts";
import { figure, printTable } from "./support/table.ts";

const version = "4.19.24";
const changes = 3;
const idleMs = 60_000;
const quietMs = 10_000;
const rolloutMs = 600_000;

interface Program {
  readonly name: string;
  /** Environment variables of the operator's Deployment. */
  readonly env: Readonly<Record<string, string>>;
  readonly command: string;
  readonly args: (kubeconfig: string, port: number) => readonly string[];
}

interface Figures {
  /** Time from the start of the process until three nodes run the first revision. */
  readonly firstMs: number;
  /**
   * Median time from a change of the image configuration until the new revision is ready. `completeMs` also includes the time
   * until three nodes run this revision.
   */
  readonly revisionMs: number;
  readonly completeMs: number;
  /** Median number of writes per rollout, excluding Events and leases. */
  readonly writes: number;
  readonly requests: number;
  /** Time that a simple client without operator logic needs for the same number of sequential writes. */
  readonly bareMs: number;
  readonly idlePerMinute: number;
  readonly residentMegabytes: number;
}

const ours = (): Program => ({
  name: "this one",
  env: memoryEnvironment(),
  command: new URL("../keelson", import.meta.url).pathname,
  args: (kubeconfig, port) => [
    "kube-apiserver-operator",
    "operator",
    ...["--kubeconfig", kubeconfig, "--listen", `127.0.0.1:${port}`, "--metrics-port", "0"],
  ],
});

/**
 * Measures configuration rollouts on three nodes. The kubelets and installers of the nodes finish immediately. The operator runs
 * as a separate process. It is compared with the original operator, if available, and with a simple client that sends the same
 * number of writes.
 */
export async function benchKubeApiserverOperator(): Promise<void> {
  const original = process.env.KUBE_APISERVER_OPERATOR;
  const figures = [await measure(ours())];
  if (original !== undefined)
    figures.push(
      await measure({
        name: "the original",
        env: {},
        command: original,
        args: (kubeconfig, port) => [
          "operator",
          ...["--kubeconfig", kubeconfig, "--listen", `127.0.0.1:${port}`],
          ...["--namespace", "openshift-kube-apiserver-operator"],
        ],
      }),
    );
  const row = (title: string, unit: string, value: (each: Figures) => number) => {
    const values = figures.map(value);
    const [one, other] = values;
    const ratio = one !== undefined && other !== undefined ? [figure(other / one)] : [];
    return [title, ...values.map(figure), ...ratio, unit];
  };
  printTable([
    [
      "the kube-apiserver operator, three nodes",
      ...["figure", "the original's", "ratio"].slice(0, figures.length === 1 ? 1 : 3),
      "unit",
    ],
    row("process started to first revision on all nodes", "s", ({ firstMs }) => firstMs / 1_000),
    row("a change to a revision", "ms", ({ revisionMs }) => revisionMs),
    row("a change to that revision on all nodes", "ms", ({ completeMs }) => completeMs),
    row("as many writes by a bare client", "ms", ({ bareMs }) => bareMs),
    row("times the bare client", "", ({ completeMs, bareMs }) => completeMs / bareMs),
    row("writes of a rollout", "", ({ writes }) => writes),
    row("requests of a rollout", "", ({ requests }) => requests),
    row("requests in an idle minute", "", ({ idlePerMinute }) => idlePerMinute),
    row("resident memory", "MB", (each) => each.residentMegabytes),
  ]);
}

async function measure(program: Program): Promise<Figures> {
  const [embedded] = kitServers;
  if (!embedded) throw new Error("there is no API server to run against");
  using state = new StateDirectory();
  const definitions = openShiftCrds("Default") as unknown as readonly KubeObject[];
  await using cluster = await embedded.start({ kinds: [], definitions, limitMs: 2 * rolloutMs });
  await seedConfiguration(cluster);
  await seedAuthorities(cluster);
  await knowFeatureGates(cluster);
  await addRelease(cluster);
  await addMasters(cluster);
  await using proxy = await startCountingProxy(cluster.kubeconfig);
  const file = state.file("kubeconfig");
  writeFileSync(file, proxy.kubeconfig);
  const began = performance.now();
  const child = start(program, file, await freePort());
  try {
    await fillRecoveryToken(cluster);
    const rollout = new Rollout(cluster, new TestKubelets(cluster));
    await finished(rollout, async () => {
      if ((await rollout.latest()) === 0) throw new Error("there is no revision");
    });
    const firstMs = performance.now() - began;
    await settled(rollout, proxy);
    const rounds = [];
    for (let index = 0; index < changes; index++) {
      rounds.push(await oneChange(cluster, rollout, proxy, index));
      await settled(rollout, proxy);
    }
    const idleFrom = proxy.counts();
    await delay(idleMs);
    const idle = allOf(countsSince(idleFrom, proxy.counts()));
    const writes = median(rounds.map((each) => each.writes));
    return {
      firstMs,
      revisionMs: median(rounds.map((each) => each.revisionMs)),
      completeMs: median(rounds.map((each) => each.completeMs)),
      writes,
      requests: median(rounds.map((each) => each.requests)),
      bareMs: await bareWrites(cluster, writes),
      idlePerMinute: idle / (idleMs / 60_000),
      residentMegabytes: residentMegabytes(child),
    };
  } finally {
    child.kill("SIGKILL");
  }
}

/** Creates the ClusterVersion that the original operator reads. */
async function addRelease({ put }: KitCluster): Promise<void> {
  await put(resources.clusterVersions, {
    metadata: { name: "version" },
    spec: { clusterID: "00000000-0000-4000-8000-000000000000" },
    status: {
      desired: { version, image: "release:1" },
      observedGeneration: 1,
      versionHash: "x",
      availableUpdates: [],
    },
  });
}

/** Creates a complete list of feature gates. The original operator exits if it queries a gate that the list lacks. */
async function knowFeatureGates({ api, signal }: KitCluster): Promise<void> {
  const off = [
    "ConfigurablePKI",
    "ExternalOIDC",
    "ExternalOIDCExternalClaimsSourcing",
    "KMSEncryption",
    "MinimumKubeletVersion",
    "ShortCertRotation",
  ];
  const gates = {
    version,
    enabled: ["EventTTL", "OpenShiftPodSecurityAdmission"].map((name) => ({ name })),
    disabled: off.map((name) => ({ name })),
  };
  const status = { featureGates: [gates] };
  await api.mergePatch(resources.featureGates, operatorKey, { status }, signal, "status");
}

/** Returns the environment variables of the Deployment that limit the operator's memory. They have a constant value. */
function memoryEnvironment(): Readonly<Record<string, string>> {
  const release = { image: "operator:1", operandImage: "hyperkube:1", version, kubernetesVersion: "1.32.9" };
  const deployment = manifests(release).find(({ object }) => object.kind === "Deployment")?.object;
  const [container] = listAt(deployment, "spec", "template", "spec", "containers");
  const variables = listAt(container, "env").map((each) => [stringAt(each, "name"), stringAt(each, "value")]);
  return Object.fromEntries(variables.filter(([name = ""]) => /^(NODE_OPTIONS|MALLOC_)/.test(name)));
}

function start({ command, args, env }: Program, kubeconfig: string, port: number): ChildProcess {
  const child = spawnBound(command, args(kubeconfig, port), {
    stdio: ["ignore", "ignore", "pipe"],
    env: {
      ...process.env,
      ...env,
      IMAGE: "hyperkube:1",
      OPERATOR_IMAGE: "operator:1",
      OPERAND_IMAGE_VERSION: "1.32.9",
      OPERATOR_IMAGE_VERSION: version,
      POD_NAME: "bench",
      POD_NAMESPACE: "openshift-kube-apiserver-operator",
    },
  });
  let said = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    said = (said + text).slice(-2_000);
  });
  child.once("exit", (code, signal) => {
    if (signal === null) process.stderr.write(`${command} ended with ${code}: ${said}\n`);
  });
  return child;
}

/** Waits for a rollout. The timeout is longer than in tests because the original operator may back off for minutes. */
async function finished(rollout: Rollout, isDone?: () => Promise<void>): Promise<void> {
  for (const until = performance.now() + rolloutMs; ; )
    try {
      return await rollout.finished(isDone);
    } catch (error) {
      if (performance.now() > until) throw error;
    }
}

/**
 * Changes the configuration once and measures the rollout. Only the operator's requests pass through the proxy. The kubelets
 * continue to run.
 */
async function oneChange(cluster: KitCluster, rollout: Rollout, proxy: CountingProxy, index: number) {
  const before = await rollout.latest();
  const counts = proxy.counts();
  const began = performance.now();
  await cluster.put(resources.configImages, {
    metadata: operatorKey,
    status: { internalRegistryHostname: `registry-${index}.svc:5000` },
  });
  let revisionMs: number | undefined;
  await finished(rollout, async () => {
    if ((await rollout.latest()) === before) throw new Error("there is no newer revision");
    revisionMs ??= performance.now() - began;
  });
  const completeMs = performance.now() - began;
  // The operator sends further status writes after the rollout. They are counted as writes of this rollout.
  await settled(rollout, proxy);
  const made = countsSince(counts, proxy.counts());
  return {
    revisionMs: revisionMs ?? Number.NaN,
    completeMs,
    writes: made.writes,
    requests: allOf(made) - made.leases,
  };
}

/** Waits until the operator has written nothing for ten seconds. Writes of kubelets are ignored. */
async function settled(rollout: Rollout, proxy: CountingProxy): Promise<void> {
  let writes = -1;
  for (let since = performance.now(); performance.now() - since < quietMs; ) {
    await finished(rollout);
    const now = proxy.counts().writes;
    if (now !== writes) since = performance.now();
    writes = now;
    await delay(200);
  }
}

async function bareWrites({ api, signal }: KitCluster, count: number): Promise<number> {
  const data = { "config.yaml": "x".repeat(4_096) };
  const began = performance.now();
  for (let index = 0; index < count; index++)
    await api.create(
      resources.configMaps,
      {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { namespace: "default", name: `bare-${index}` },
        data,
      },
      signal,
    );
  return performance.now() - began;
}
