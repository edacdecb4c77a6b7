import { mkdirSync } from "node:fs";
import { type Identity, loadOrCreateIdentity } from "./identity.ts";
import { type LocalAuthority, loadOrCreateAuthority } from "./local-authority.ts";
import { choosePorts, type PortChoice, type Ports } from "./ports.ts";
import { acquireState } from "./state-lock.ts";

/** A state directory in use by this process: locked, with everything that a start needs read or made. */
export interface OpenState extends Disposable {
  readonly directory: string;
  readonly identity: Identity;
  readonly local: LocalAuthority;
  readonly ports: Ports;
}

/** @throws StateLocked, PortTaken, StateUnreadable */
export async function openState(directory: string, choice: PortChoice): Promise<OpenState> {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  using stack = new DisposableStack();
  stack.use(acquireState(directory));
  const ports = await choosePorts(directory, choice);
  const identity = loadOrCreateIdentity(directory);
  const local = await loadOrCreateAuthority(directory);
  const kept = stack.move();
  return { directory, identity, local, ports, [Symbol.dispose]: () => kept.dispose() };
}
