import { systemClock, withTimeout } from "@keelson/base";
import type { RunImage } from "../options/run-image.ts";
import { cliErrors } from "../output/cli-errors.ts";
import { RpClient } from "../rp-client/rp-client.ts";
import { readAroInstaller } from "../state/aro-installer.ts";
import { describeState, readRunStatus } from "../state/component-status.ts";
import { readEndpoints } from "../state/endpoints.ts";
import { readIdentity } from "../state/identity.ts";
import { readManagementCluster } from "../state/management-cluster.ts";
import { type Pace, paceText, rememberedPace } from "../state/pace.ts";
import { type PortChoice, portNames, rememberedPorts } from "../state/ports.ts";
import { stateHolder } from "../state/state-lock.ts";

const pollMs = 100;

/**
 * Returns the ID of the process that already serves this state directory with the requested ports, pace and other settings. If
 * the process is still starting, waits for it and reports its progress. Returns undefined if no process uses the directory. Also
 * returns undefined if the settings differ, because a new start then fails with an error that explains the conflict.
 * @throws NotRunning if the process exits, or one of its components is down
 */
export async function runningInstance(
  directory: string,
  {
    ports: { asked },
    pace,
    seed,
    hive,
    aroInstaller,
    runImages,
  }: {
    readonly ports: PortChoice;
    readonly pace: Pace | undefined;
    readonly seed: number | undefined;
    readonly hive: string | undefined;
    readonly aroInstaller: string | undefined;
    readonly runImages: readonly RunImage[];
  },
  report: (text: string) => void,
  signal: AbortSignal,
): Promise<number | undefined> {
  const pid = stateHolder(directory);
  if (pid === undefined) return undefined;
  const ports = rememberedPorts(directory);
  if (portNames.some((name) => asked[name] !== undefined && asked[name] !== ports[name])) return undefined;
  if (pace && paceText(pace) !== paceText(rememberedPace(directory))) return undefined;
  if (seed !== undefined && seed !== readIdentity(directory).seed) return undefined;
  // A running instance cannot change its image programs or its installer, so these settings require a new start.
  if (runImages.length > 0) return undefined;
  if (hive !== undefined && hive !== readManagementCluster(directory)?.crds) return undefined;
  if (aroInstaller !== undefined && aroInstaller !== readAroInstaller(directory)?.program) return undefined;
  for (;;) {
    if (stateHolder(directory) !== pid) throw cliErrors.NotRunning(`process ${pid} has ended: start again`);
    const components = readRunStatus(directory)?.components ?? [];
    const down = components.find(({ state }) => state === "down");
    if (down !== undefined)
      throw cliErrors.NotRunning(
        `${down.component} is ${describeState(down)}: read ${down.log}, then run "keelson down" and "keelson up"`,
      );
    if (await serves(directory, signal)) return pid;
    const waiting = components.filter(({ state }) => state !== "serving").map(({ component }) => component);
    report(`waiting for ${waiting.join(", ") || `process ${pid}`} to serve`);
    await systemClock.sleep(pollMs, signal);
  }
}

async function serves(directory: string, signal: AbortSignal): Promise<boolean> {
  try {
    await using client = new RpClient(readEndpoints(directory));
    return await client.isReady(withTimeout(signal, 5_000));
  } catch {
    // The instance has not written `endpoints.json` yet, or does not listen yet.
    signal.throwIfAborted();
    return false;
  }
}
