import { type Identity, loadOrCreateIdentity } from "../state/identity.ts";
import { choosePorts, type PortChoice, type Ports } from "../state/ports.ts";
import { ensurePrivateDirectory } from "../state/private-directory.ts";
import { ensureSshHostKey } from "../state/ssh-host-key.ts";
import { acquireState } from "../state/state-lock.ts";
import { unusable } from "../state/unusable.ts";
import { requireWorld, type WorldPart } from "../state/world-files.ts";
import { type LocalAuthority, loadOrCreateAuthority } from "./local-authority.ts";

/** A state directory locked by this process, with its ports, identity and certificates. */
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
    ensurePrivateDirectory(directory);
    stack.use(acquireState(directory));
    const ports = await choosePorts(directory, choice);
    const identity = loadOrCreateIdentity(directory);
    requireWorld(directory, parts);
    const local = await loadOrCreateAuthority(directory);
    ensureSshHostKey(directory);
    const kept = stack.move();
    return { directory, identity, local, ports, [Symbol.dispose]: () => kept.dispose() };
  } catch (error) {
    throw unusable(directory, error);
  }
}
