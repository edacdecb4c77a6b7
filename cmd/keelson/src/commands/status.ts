import process from "node:process";
import { timeLimit } from "@keelson/base";
import type { Command } from "commander";
import { stateOption } from "../options/options.ts";
import { outputOption } from "../options/output-option.ts";
import { cliErrors } from "../output/cli-errors.ts";
import { shellWord } from "../output/shell-word.ts";
import { tableOf } from "../output/table.ts";
import { residentBytes } from "../process/process-memory.ts";
import { type FleetHealth, fleetHealth } from "../rp-client/fleet-health.ts";
import { RpClient } from "../rp-client/rp-client.ts";
import {
  type ComponentStatus,
  describeState,
  type RunState,
  type RunStatus,
  readRunStatus,
  runStateOf,
} from "../state/component-status.ts";
import { readEndpoints } from "../state/endpoints.ts";
import { stateHolder } from "../state/state-lock.ts";

const maxClusters = 100;
/**
 * Time limit of the requests for the clusters' health, in ms. The status of the components is printed even if these requests time
 * out.
 */
const clustersTimeoutMs = 5_000;

interface StatusFlags {
  readonly state: string;
  readonly output: "table" | "json";
}

interface ShownComponent extends ComponentStatus {
  readonly memoryBytes?: number;
}

export function addStatus(root: Command): Command {
  return root
    .command("status")
    .description(
      'print the components of "keelson up" with process ID, restarts, memory and state, and the health of the clusters',
    )
    .addOption(stateOption())
    .addOption(outputOption())
    .addHelpText(
      "after",
      `
The exit code is 1 if a component is not serving, or if "keelson up" is not running. The exit code does not depend on the health
of the clusters. The command lists at most ${maxClusters} clusters. Clusters with a problem are listed first.

Examples:
  keelson status
  keelson status --state /tmp/try -o json`,
    )
    .action(run);
}

async function run({ state, output }: StatusFlags): Promise<void> {
  const holder = stateHolder(state);
  const run = readRunStatus(state);
  const runState = run && runStateOf(run, holder);
  if (run === undefined || runState === undefined) {
    throw cliErrors.NotRunning(
      holder === undefined
        ? `nothing runs in ${state}. Start it with \`keelson up --state ${shellWord(state)}\``
        : `process ${holder} uses ${state} without components: it is no \`keelson up\`, or still starting`,
    );
  }
  const components = run.components.map((each) => shown(each, runState));
  const isServing = components.some(
    (each) =>
      each.component === "service" && each.state === "serving" && each.notRespondingSince === undefined,
  );
  const clusters = isServing ? await clustersOf(state) : undefined;
  const { process: pid, started } = run;
  process.stdout.write(
    output === "json"
      ? `${JSON.stringify({ state: runState, process: pid, started, components, ...clusters })}\n`
      : `${tableOf([heading, ...components.map(rowOf)])}${clusters ? clustersText(clusters) : ""}`,
  );
  const problem = problemOf(run, runState, components);
  if (problem !== undefined) throw cliErrors.InstallationUnwell(problem);
}

/**
 * Returns the health of the clusters. Undefined if the service does not respond. This failure needs no error here, because the
 * table of components already shows it.
 */
async function clustersOf(state: string): Promise<FleetHealth | undefined> {
  try {
    await using client = new RpClient(readEndpoints(state));
    return await fleetHealth(client, maxClusters, timeLimit(clustersTimeoutMs));
  } catch {
    return undefined;
  }
}

function clustersText({ clusters, omittedClusters }: FleetHealth): string {
  if (clusters.length === 0) return "";
  const rows = clusters.map(({ name, resourceGroup, state, health, reason }) => [
    name,
    resourceGroup,
    state,
    health,
    reason,
  ]);
  const more = omittedClusters === 0 ? "" : `${omittedClusters} more clusters\n`;
  return `\n${tableOf([["CLUSTER", "RESOURCE GROUP", "STATE", "HEALTH", "REASON"], ...rows])}${more}`;
}

function shown(status: ComponentStatus, runState: RunState): ShownComponent {
  if (runState !== "running") {
    const { process: _, notRespondingSince: __, ...rest } = status;
    return { ...rest, state: "stopped" };
  }
  const memoryBytes = status.process === undefined ? undefined : residentBytes(status.process);
  return { ...status, ...(memoryBytes === undefined ? {} : { memoryBytes }) };
}

const heading = ["COMPONENT", "PROCESS", "SINCE", "RESTARTS", "MEMORY", "STATE"];

function rowOf(status: ShownComponent): readonly string[] {
  const { component, process: pid, since, restarts, memoryBytes } = status;
  const memory = memoryBytes === undefined ? "-" : `${Math.round(memoryBytes / 1_048_576)} MiB`;
  return [component, pid === undefined ? "-" : `${pid}`, since, `${restarts}`, memory, describeState(status)];
}

function problemOf(
  { process: pid }: RunStatus,
  runState: RunState,
  components: readonly ShownComponent[],
): string | undefined {
  if (runState === "crashed")
    return `process ${pid} exited without stopping its components. \`keelson up\` resumes`;
  if (runState === "stopped") return "stopped. Start again with `keelson up`";
  const failing = components.filter(
    (each) => each.state !== "serving" || each.notRespondingSince !== undefined,
  );
  if (failing.length === 0) return undefined;
  return `${failing.map(({ component }) => component).join(", ")} not serving. See the log files and \`keelson doctor\``;
}
