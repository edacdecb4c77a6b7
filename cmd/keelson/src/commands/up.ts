import { join } from "node:path";
import process from "node:process";
import { aborted } from "@keelson/base";
import type { Command } from "commander";
import { ensureCluster } from "../ensure-cluster.ts";
import { Progress } from "../progress.ts";
import { RpClient } from "../rp-client.ts";
import { runDetached } from "../run-detached.ts";
import { type Endpoints, readEndpoints } from "../state/endpoints.ts";
import { stopSignal } from "../stop-signals.ts";
import {
  addPortOptions,
  logLevelOption,
  type PortFlags,
  parseClusterName,
  portChoice,
  stateOption,
  subnetsOption,
} from "./options.ts";

export interface UpFlags extends PortFlags {
  readonly state: string;
  readonly detach?: boolean;
  /** False for `--no-cluster`. */
  readonly cluster: string | false;
  readonly subnetsFor: readonly string[];
  readonly logLevel: string;
}

export function addUp(root: Command): Command {
  const command = root
    .command("up")
    .description("start everything on embedded defaults and create a first cluster")
    .addOption(stateOption())
    .option("--detach", 'go on in the background once the cluster is there; "keelson down" stops it')
    .option("--cluster <name>", "name of the first cluster", parseClusterName, "demo")
    .option("--no-cluster", "start the service only")
    .addOption(subnetsOption())
    .addOption(logLevelOption())
    .addHelpText(
      "after",
      "\nLog lines go to keelson.log in the state directory. Ctrl-C drains; state and clusters stay on disk.",
    )
    .action(run);
  return addPortOptions(command, ["rp", "azure", "clusters", "metrics", "admin", "proxy", "dns"]);
}

async function run(flags: UpFlags): Promise<void> {
  const progress = new Progress();
  if (flags.detach) {
    const log = join(flags.state, "keelson.log");
    progress.say("starting in the background ...");
    const pid = await runDetached(flags, log);
    const endpoints = readEndpoints(flags.state);
    progress.say(`up: process ${pid}, log ${log}`);
    const signal = stopSignal(() =>
      progress.say('the service goes on in the background; "keelson down" stops it'),
    );
    await offerCluster(flags, endpoints, progress, signal);
    process.stdout.write(`stop         keelson down --state ${flags.state}\n`);
    return;
  }
  const signal = stopSignal(() =>
    progress.say("stopping: steps under way may end first (Ctrl-C again to stop at once) ..."),
  );
  const { startEverything } = await import("../world/everything.ts");
  await using everything = await startEverything(
    {
      directory: flags.state,
      ports: portChoice(flags),
      subnetsFor: flags.cluster ? [flags.cluster, ...flags.subnetsFor] : flags.subnetsFor,
      logLevel: flags.logLevel,
      report: (text) => progress.update(text),
    },
    signal,
  );
  process.send?.("up");
  await offerCluster(flags, everything.endpoints, progress, signal);
  await aborted(signal);
}

/** Creates the first cluster, or finds it there, and says how to reach everything. */
async function offerCluster(
  flags: UpFlags,
  endpoints: Endpoints,
  progress: Progress,
  signal: AbortSignal,
): Promise<void> {
  const lines = [`RP           ${endpoints.rp}`, `endpoints    ${join(flags.state, "endpoints.json")}`];
  if (flags.cluster) {
    await using client = new RpClient(endpoints);
    const path = await ensureCluster({
      client,
      name: flags.cluster,
      directory: flags.state,
      progress,
      signal,
    });
    lines.unshift(`kubeconfig   ${path}`);
    lines.push(`try          kubectl --kubeconfig ${path} get nodes`);
  }
  process.stdout.write(`${lines.join("\n")}\n`);
}
