import { mkdirSync } from "node:fs";
import { cliErrors } from "../cli-errors.ts";
import { isSystemError } from "../failure-text.ts";
import { type Identity, loadOrCreateIdentity } from "./identity.ts";
import { type LocalAuthority, loadOrCreateAuthority } from "./local-authority.ts";
import { choosePorts, type PortChoice, type Ports } from "./ports.ts";
import { acquireState } from "./state-lock.ts";
import { requireWorld, type WorldPart } from "./world-files.ts";

/** A state directory in use by this process: locked, with everything that a start needs read or made. */
export interface OpenState extends Disposable {
  readonly directory: string;
  readonly identity: Identity;
  readonly local: LocalAuthority;
  readonly ports: Ports;
}

/** @throws StateLocked, PortTaken, StateUnreadable, StateUnusable */
export async function openState(
  directory: string,
  choice: PortChoice,
  parts: readonly WorldPart[] = ["azure", "clusters"],
): Promise<OpenState> {
  using stack = new DisposableStack();
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    stack.use(acquireState(directory));
    const ports = await choosePorts(directory, choice);
    const identity = loadOrCreateIdentity(directory);
    requireWorld(directory, parts);
    const local = await loadOrCreateAuthority(directory);
    const kept = stack.move();
    return { directory, identity, local, ports, [Symbol.dispose]: () => kept.dispose() };
  } catch (error) {
    throw unusable(directory, error);
  }
}

/** Says what to do where the system refuses to keep anything there; other errors are as they were. */
export function unusable(directory: string, error: unknown): unknown {
  if (!isSystemError(error)) return error;
  return cliErrors.StateUnusable(
    `the state directory ${directory} cannot be used (${error.message}): see that it can be written and has room, ` +
      "or choose another with --state DIR",
    { cause: error },
  );
}
