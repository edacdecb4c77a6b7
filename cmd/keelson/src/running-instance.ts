import { systemClock, withTimeout } from "@keelson/base";
import { cliErrors } from "./cli-errors.ts";
import { RpClient } from "./rp-client.ts";
import { readEndpoints } from "./state/endpoints.ts";
import { type PortChoice, portNames, rememberedPorts } from "./state/ports.ts";
import { stateHolder } from "./state/state-lock.ts";

const limitMs = 60_000;
const pollMs = 100;

/**
 * The process that serves from a state directory with these ports; waits for one that is starting. `undefined` when the
 * directory is free, or when a start would fail and report why.
 * @throws NotRunning when the process ends, or does not serve within a minute
 */
export async function runningInstance(
  directory: string,
  { asked }: PortChoice,
  signal: AbortSignal,
): Promise<number | undefined> {
  const pid = stateHolder(directory);
  if (pid === undefined) return undefined;
  const ports = rememberedPorts(directory);
  if (portNames.some((name) => asked[name] !== undefined && asked[name] !== ports[name])) return undefined;
  const deadline = systemClock.monotonicMs() + limitMs;
  while (systemClock.monotonicMs() < deadline) {
    if (stateHolder(directory) !== pid) throw cliErrors.NotRunning(`process ${pid} has ended: start again`);
    if (await serves(directory, signal)) return pid;
    await systemClock.sleep(pollMs, signal);
  }
  throw cliErrors.NotRunning(`process ${pid} does not serve after ${limitMs / 1000} s: see keelson.log`);
}

async function serves(directory: string, signal: AbortSignal): Promise<boolean> {
  try {
    await using client = new RpClient(readEndpoints(directory));
    return await client.isReady(withTimeout(signal, 5_000));
  } catch {
    // It has not written its endpoints, or does not listen yet.
    signal.throwIfAborted();
    return false;
  }
}
