import { join } from "node:path";
import process from "node:process";
import { aborted, mountNamespace, systemClock } from "@keelson/base";
import type { Command } from "commander";
import { fromEmbeddedWorld } from "../configuration/embedded-world.ts";
import { hasStarter, notifyStarter, runDetached } from "../instance/detached-start.ts";
import { runningInstance } from "../instance/running-instance.ts";
import { stopInstance } from "../instance/stop-instance.ts";
import { clusterProcessesOption } from "../options/cluster-processes-option.ts";
import { clusterNamed } from "../options/cluster-ref.ts";
import {
  addClusterAddresses,
  addGovernance,
  addPortOptions,
  aroInstallerOption,
  hiveOption,
  logLevelOption,
  operatorsOption,
  paceOption,
  parseClusterName,
  portChoice,
  publishOption,
  readGovernanceFile,
  runImageForOption,
  runImageOption,
  seedOption,
  stateOption,
  subnetsOption,
  type UpFlags,
  unknownProgramsOption,
  withoutOption,
} from "../options/options.ts";
import { outputOption } from "../options/output-option.ts";
import { invokedAs } from "../output/invocation.ts";
import { Progress } from "../output/progress.ts";
import { shellWord } from "../output/shell-word.ts";
import { idleCollection } from "../process/idle-collection.ts";
import { stopSignal } from "../process/stop-signals.ts";
import { ensureCluster } from "../rp-client/ensure-cluster.ts";
import { RpClient, restartMs } from "../rp-client/rp-client.ts";
import { newConsoleLink } from "../sim-client/console-link.ts";
import { clusterProcessesProblem } from "../state/cluster-processes.ts";
import { type Endpoints, readEndpoints } from "../state/endpoints.ts";
import { readIdentity } from "../state/identity.ts";
import { hiveFiles, readManagementCluster } from "../state/management-cluster.ts";
import { portNames } from "../state/ports.ts";

export function addUp(root: Command): Command {
  const command = root
    .command("up")
    .description(
      "start the service with a simulated Azure and simulated clusters, and create a first cluster",
    )
    .addOption(stateOption())
    .option(
      "--detach",
      'run in the background until "keelson down". The command exits when the first cluster is ready (default: run in the foreground)',
    )
    .option("--cluster <name>", "name of the first cluster", parseClusterName, "demo")
    .option("--no-cluster", "do not create a first cluster")
    .addOption(subnetsOption())
    .addOption(clusterProcessesOption())
    .addOption(operatorsOption())
    .addOption(unknownProgramsOption())
    .addOption(hiveOption())
    .addOption(aroInstallerOption())
    .addOption(runImageOption())
    .addOption(runImageForOption())
    .addOption(paceOption())
    .addOption(seedOption())
    .addOption(withoutOption())
    .addOption(publishOption())
    .addOption(logLevelOption())
    .addOption(outputOption())
    .addHelpText(
      "after",
      `
The simulated Azure, the simulated clusters and the service are separate processes. A crashed process is restarted.
"keelson status" lists all processes. The logs are azure.log, clusters.log, operators.log, service.log and keelson.log in the state directory.
With --cluster-processes 2, the clusters are divided between two processes. The second process has the logs clusters-2.log and
operators-2.log.
After Ctrl-C, the processes complete the active steps of cluster operations and exit. After a second Ctrl-C, the processes exit
immediately. Clusters and other state stay on disk.`,
    )
    .addHelpText(
      "after",
      "\nExamples:\n  keelson up --detach\n  keelson up --state /tmp/try --ports auto --pace recorded:0.02",
    )
    .action(run);
  return addPortOptions(addGovernance(addClusterAddresses(command)), portNames);
}

async function run(flags: UpFlags, command: Command): Promise<void> {
  const problem = clusterProcessesProblem(flags.state, flags.clusterProcesses);
  if (problem !== undefined) command.error(`error: ${problem}`);
  if (flags.runImage.length > 0) await mountNamespace();
  using progress = new Progress();
  // `await` is required, because the background start uses `progress`. Without `await`, `progress` would be disposed when this
  // function returns.
  if (flags.detach) return await runInBackground(flags, progress);
  if (hasStarter()) return runForStarter(flags);
  const signal = stopSignal(() =>
    progress.say("stopping: steps in progress may finish first (Ctrl-C again to stop immediately) ..."),
  );
  await using everything = await start(flags, (text) => progress.update(text), signal);
  const offered = await offerCluster(flags, everything.endpoints, progress, signal);
  progress.end();
  print(flags, offered);
  using _collection = idleCollection();
  await aborted(signal);
}

/** Runs the background process of `up --detach`. It prints nothing and reports its progress to the process that started it. */
async function runForStarter(flags: UpFlags): Promise<void> {
  const signal = stopSignal(() => undefined);
  await using _ = await start(flags, (text) => notifyStarter({ progress: text }), signal);
  notifyStarter("up");
  using _collection = idleCollection();
  await aborted(signal);
}

async function start(flags: UpFlags, report: (text: string) => void, signal: AbortSignal) {
  const { startSupervisor } = await fromEmbeddedWorld(() => import("../world/start-supervisor.ts"));
  const governance = await readGovernanceFile(flags.governance);
  const settings = {
    directory: flags.state,
    subnetsFor: flags.cluster ? [flags.cluster, ...flags.subnetsFor] : flags.subnetsFor,
    operators: flags.operators,
    unknownPrograms: flags.unknownPrograms,
    runImages: flags.runImage,
    runImagesFor: flags.runImageFor,
    without: flags.without,
    ...(flags.clusterAddresses ? { clusterAddresses: true } : {}),
    ...(governance ? { governance } : {}),
    logLevel: flags.logLevel,
  };
  const { pace, clusterProcesses, seed, hive, aroInstaller, publish } = flags;
  const options = {
    settings,
    ports: portChoice(flags),
    pace,
    clusterProcesses,
    seed,
    hive,
    aroInstaller,
    publish,
    report,
    clock: systemClock,
  };
  return startSupervisor(options, signal);
}

async function runInBackground(flags: UpFlags, progress: Progress): Promise<void> {
  const log = join(flags.state, "keelson.log");
  let keepsRunning = false;
  const signal = stopSignal(() =>
    progress.say(
      keepsRunning
        ? 'the service continues in the background; "keelson down" stops it'
        : "stopping (Ctrl-C again to leave it to the background) ...",
    ),
  );
  const running = await runningInstance(
    flags.state,
    {
      ports: portChoice(flags),
      pace: flags.pace,
      seed: flags.seed,
      hive: flags.hive,
      aroInstaller: flags.aroInstaller,
      runImages: flags.runImage,
    },
    (text) => progress.update(text),
    signal,
  );
  keepsRunning = running !== undefined;
  if (running === undefined) {
    progress.say("starting in the background ...");
    const pid = await runDetached(flags, { log, report: (text) => progress.update(text), signal });
    progress.say(`up: process ${pid}, log ${log}`);
  } else progress.say(`already up: process ${running}, log ${log}`);
  try {
    const offered = await offerCluster(flags, readEndpoints(flags.state), progress, signal);
    print(flags, { ...offered, stop: `${invokedAs()} down --state ${shellWord(flags.state)}` });
  } catch (error) {
    // If the user interrupts the command, the background process that it started is stopped too.
    if (signal.aborted && !keepsRunning) await stopInstance(flags.state, progress);
    throw error;
  }
}

/** Addresses and files that `up` prints for its users, in output order. */
interface Offered {
  readonly kubeconfig?: string;
  readonly rp: string;
  /** Portal URL for accounts with administrator access. */
  readonly portal?: string;
  /** One-time link that signs in to the console of the simulated world. */
  readonly console?: string;
  readonly endpoints: string;
  /** Path of the kubeconfig for Hive's controllers. */
  readonly hive?: string;
  readonly try?: string;
  readonly stop?: string;
}

/** Creates the first cluster if it does not exist. Returns the addresses and kubeconfigs of the instance. */
async function offerCluster(
  flags: UpFlags,
  endpoints: Endpoints,
  progress: Progress,
  signal: AbortSignal,
): Promise<Offered> {
  const service = {
    rp: endpoints.rp,
    ...(flags.without.includes("portal")
      ? {}
      : { portal: `${endpoints.portal} (sign in as administrator@keelson.local, no password)` }),
    ...(await consoleLink(flags.state, endpoints)),
    endpoints: join(flags.state, "endpoints.json"),
    ...(readManagementCluster(flags.state) ? { hive: join(flags.state, hiveFiles.kubeconfig) } : {}),
  };
  if (!flags.cluster) return service;
  await using client = new RpClient(endpoints, { reconnectMs: restartMs });
  const cluster = clusterNamed(flags.cluster);
  const path = await ensureCluster({ client, cluster, directory: flags.state, progress, signal });
  return { kubeconfig: path, ...service, try: `kubectl --kubeconfig ${shellWord(path)} get nodes` };
}

async function consoleLink(state: string, endpoints: Endpoints): Promise<Pick<Offered, "console">> {
  if (endpoints.console === undefined) return {};
  // The console link is optional: without it, the clusters are still usable.
  const link = await newConsoleLink(endpoints, readIdentity(state).adminToken).catch(() => undefined);
  return { console: link?.url ?? endpoints.console };
}

const titles: Readonly<Record<string, string>> = { rp: "RP" };
/** Explanations that are printed after a value in human-readable output. */
const notes: Readonly<Record<string, string>> = {
  console: ` (signs in once; \`${invokedAs()} sim console\` prints a new link)`,
};

function print({ output }: UpFlags, offered: Offered): void {
  const rows = Object.entries(offered).map(
    ([name, value]) => `${(titles[name] ?? name).padEnd(12)} ${value}${notes[name] ?? ""}\n`,
  );
  process.stdout.write(output === "json" ? `${JSON.stringify(offered)}\n` : rows.join(""));
}
