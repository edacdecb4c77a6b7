import {
  closeSync,
  copyFileSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as delay } from "node:timers/promises";
import { spawnBound } from "@keelson/base";
import { connectKube, type KubeClient, resources } from "@keelson/kube";
import { installFailures } from "../../libraries/installers/src/install/install-failure.ts";
import { readEndpoints } from "../e2e/support/endpoints.ts";
import { Program } from "../e2e/support/program.ts";
import { deniedByPolicy } from "./failures.ts";
import type { InstallCase } from "./install-case.ts";
import type { HivePrograms } from "./programs.ts";
import { startApiServerRelay } from "./relay.ts";
import { clustersPort, includedCases, type Run, runCases, subnets, worldFlags } from "./runs.ts";

const namespace = "hive";
const pod = { namespace, name: "hive-controllers" };
const hiveImage = "registry.example/hive";
const installerImage = "arointsvc.azurecr.io/aro-installer";

/** Runs Hive's controllers together with `keelson up --hive`. Hive's install Jobs run the installer. */
export async function runWithHive(run: Run, hive: HivePrograms): Promise<void> {
  const directory = join(run.directory, "hive");
  const cases: readonly InstallCase[] = includedCases(run, [
    { name: "Hive, service principal", cluster: "hive-sp", identities: false },
    { name: "Hive, managed identities", cluster: "hive-mi", identities: true },
    { name: "Hive, policy", cluster: "hive-policy", ...deniedByPolicy },
  ]);
  if (cases.length === 0) return;
  const wrapper = writeWrapper(run.directory, { hiveutil: hive.hiveutil, installer: run.installer });
  const images = [hiveImage, installerImage].flatMap((image) => ["--run-image", `${image}=${wrapper}`]);
  const flags = ["--state", directory, "--no-cluster", ...subnets(cases), "--hive", hive.crds];
  await using stack = new AsyncDisposableStack();
  const up = stack.use(
    Program.start("up", ...worldFlags, ...flags, ...images, "--run-image-for", "aro-*/Job/*"),
  );
  stack.defer(async () => void (await up.signal("SIGTERM")));
  await up.says(/endpoints/);
  stack.use(await startApiServerRelay(clustersPort));
  const kube = stack.use(
    connectKube({
      kubeconfig: readFileSync(join(directory, "hive.kubeconfig"), "utf8"),
      userAgent: "test",
      fieldManager: "test",
    }),
  );
  await configureHive(kube, run.signal);
  stack.use(startControllers(directory, hive.manager));
  const serviceFile = join(directory, "service.json");
  // Waits until Hive has removed its finalizer from the ClusterDeployment and the namespace is deleted.
  const forgotten = async () => {
    for (;;) {
      const { items } = await kube.list(resources.namespaces, {}, run.signal);
      if (!items.some(({ metadata }) => metadata.name.startsWith("aro-"))) return;
      await delay(100, undefined, { signal: run.signal });
    }
  };
  await runCases(stack, directory, { serviceFile, cases, forgotten }, run);
}

/**
 * Writes a wrapper program for both images and returns its path. The containers run shell scripts that copy programs of the
 * image. The wrapper replaces the paths of these programs with paths in the wrapper's directory, because containers can access
 * only that directory.
 */
function writeWrapper(
  directory: string,
  { hiveutil, installer }: { hiveutil: string; installer: string },
): string {
  const programs = join(directory, "programs");
  mkdirSync(programs);
  place(hiveutil, join(programs, "hiveutil"));
  place(installer, join(programs, "openshift-install"));
  const replaced = [
    ["/usr/bin/hiveutil.rhel8", "hiveutil"],
    ["/usr/bin/hiveutil ", "hiveutil "],
    ["/bin/openshift-install ", "openshift-install "],
  ].map(([path, name]) => `s#${path}#${programs}/${name}#`);
  const path = join(programs, "container");
  const lines = [
    "#!/bin/sh",
    "# Arguments: /bin/sh -c SCRIPT",
    `script=$(printf %s "$3" | sed -e '${replaced.join("; ")}')`,
    'exec "$1" "$2" "$script"',
    "",
  ];
  writeFileSync(path, lines.join("\n"), { mode: 0o755 });
  return path;
}

function place(program: string, path: string): void {
  const source = realpathSync(program);
  try {
    linkSync(source, path);
  } catch {
    // Copies the file instead of linking it, because the source is on a different file system.
    copyFileSync(source, path);
  }
}

/** Creates Hive's pod and the patterns of installation errors. Hive copies the scheduling settings of this pod to its Jobs. */
async function configureHive(kube: KubeClient, signal: AbortSignal): Promise<void> {
  const container = { name: "manager", image: "registry.example/none" };
  await kube.create(
    resources.pods,
    { apiVersion: "v1", kind: "Pod", metadata: pod, spec: { containers: [container] } },
    signal,
  );
  const regexes = installFailures.map(({ reason, texts, message }) => ({
    name: reason,
    // Hive matches one Go regular expression against the complete log.
    searchRegexStrings: [texts.map(({ source }) => source).join(".*")],
    installFailingReason: reason,
    installFailingMessage: message,
  }));
  for (const [name, list] of [
    ["install-log-regexes", []],
    ["additional-install-log-regexes", regexes],
  ] as const)
    await kube.create(
      resources.configMaps,
      {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { namespace, name },
        data: { regexes: JSON.stringify(list) },
      },
      signal,
    );
}

/** Starts Hive's controllers as a process with the kubeconfig of the management cluster. Disposal stops it. */
function startControllers(directory: string, manager: string): Disposable {
  const kubeconfig = join(directory, "hive.kubeconfig");
  const metricsFile = join(directory, "hive-metrics.json");
  writeFileSync(metricsFile, "{}");
  const { proxy } = readEndpoints(join(directory, "endpoints.json"));
  const log = openSync(join(directory, "hive-manager.log"), "a", 0o600);
  const child = spawnBound(
    manager,
    ["--kubeconfig", kubeconfig, "--controllers", "clusterDeployment,clusterProvision"],
    {
      cwd: directory,
      env: {
        PATH: process.env.PATH,
        HIVE_NS: namespace,
        HIVE_SKIP_LEADER_ELECTION: "1",
        HIVE_IMAGE: `${hiveImage}:test`,
        METRICS_CONFIG_FILE: metricsFile,
        POD_NAME: pod.name,
        POD_NAMESPACE: namespace,
        // Hive copies these variables to install pods.
        HTTP_PROXY: proxy,
        HTTPS_PROXY: proxy,
        NO_PROXY: "localhost,.localhost,127.0.0.1,::1",
      },
      stdio: ["ignore", log, log],
    },
  );
  closeSync(log);
  return { [Symbol.dispose]: () => void child.kill("SIGKILL") };
}
