import { systemClock } from "@keelson/base";
import { type AroInstaller, chooseAroInstaller, readAroInstaller } from "../state/aro-installer.ts";
import {
  type ClusterProcess,
  chooseClusterProcesses,
  readClusterProcesses,
  rememberedClusterProcesses,
} from "../state/cluster-processes.ts";
import { componentsInUse } from "../state/component-locks.ts";
import { type Identity, loadOrCreateIdentity, readIdentity } from "../state/identity.ts";
import {
  chooseManagementCluster,
  type ManagementCluster,
  readManagementCluster,
} from "../state/management-cluster.ts";
import { choosePace, type Pace, rememberedPace } from "../state/pace.ts";
import { choosePorts, type PortChoice, type PortName, type Ports, requirePorts } from "../state/ports.ts";
import { ensurePrivateDirectory } from "../state/private-directory.ts";
import { ensureSshHostKey } from "../state/ssh-host-key.ts";
import { acquireState } from "../state/state-lock.ts";
import { unusable } from "../state/unusable.ts";
import { requireWorld, type WorldPart } from "../state/world-files.ts";
import { componentProcesses, processName } from "../supervisor/component.ts";
import { type InstallerSecrets, loadOrCreateInstallerSecrets } from "./installer-secrets.ts";
import { type LocalAuthority, loadOrCreateAuthority } from "./local-authority.ts";
import { completeExchange, removeLinks, removeStagedWorld } from "./snapshots/world-files.ts";

/** Ports, pace, identity and certificates of a state directory. */
export interface InstanceState {
  readonly directory: string;
  readonly identity: Identity;
  readonly local: LocalAuthority;
  readonly ports: Ports;
  /** Processes that run the simulated clusters, and the ports of these processes. */
  readonly clusterProcesses: readonly ClusterProcess[];
  readonly pace: Pace;
  /** Cluster that runs Hive. Undefined if Hive was never enabled in this directory. */
  readonly managementCluster: ManagementCluster | undefined;
  /** ARO's installer without Hive. Undefined if it was never enabled in this directory. */
  readonly aroInstaller: AroInstaller | undefined;
  /** Secrets of ARO's installer. Undefined if neither Hive nor ARO's installer is enabled. */
  readonly installerSecrets: InstallerSecrets | undefined;
}

/** A state directory locked by this process. */
export interface OpenState extends InstanceState, Disposable {}

export interface OpenStateOptions {
  /** Default: both. */
  readonly parts?: readonly WorldPart[] | undefined;
  /** Ports on which the process listens. Default: all. */
  readonly listening?: readonly PortName[];
  /** Pace of the simulated world. Default: the pace of the last start. */
  readonly pace?: Pace | undefined;
  /** Number of processes that run the simulated clusters. Default: the number of the last start. */
  readonly clusterProcesses?: number | undefined;
  /** Seed of a new directory's IDs. Default: random IDs. */
  readonly seed?: number | undefined;
  /** Directory of Hive's CustomResourceDefinitions. Default: the directory of the last start. */
  readonly hive?: string | undefined;
  /** Program of ARO's installer. Default: the program of the last start. */
  readonly aroInstaller?: string | undefined;
  /** Called with a description of each wait, for example for a component that is exiting. */
  readonly report?: (text: string) => void;
}

const pollMs = 50;

/**
 * Locks and prepares a state directory. Waits for components of an earlier run, which exit within seconds after the exit of their
 * supervisor.
 * @throws StateLocked, PortTaken, StateUnreadable, StateUnusable
 */
export async function openState(
  directory: string,
  choice: PortChoice,
  {
    parts = ["azure", "clusters"],
    listening,
    pace: askedPace,
    clusterProcesses: askedProcesses,
    seed,
    hive,
    aroInstaller: program,
    report,
  }: OpenStateOptions = {},
): Promise<OpenState> {
  using stack = new DisposableStack();
  try {
    ensurePrivateDirectory(directory);
    stack.use(acquireState(directory));
    await earlierComponentsExited(directory, report);
    await completeExchange(directory);
    await removeStagedWorld(directory);
    await removeLinks(directory);
    const ports = await choosePorts(directory, choice, listening);
    const clusterProcesses = await chooseClusterProcesses(directory, askedProcesses, ports);
    const pace = choosePace(directory, askedPace);
    const identity = loadOrCreateIdentity(directory, seed);
    requireWorld(directory, parts, clusterProcesses.length);
    const local = await loadOrCreateAuthority(directory);
    ensureSshHostKey(directory);
    const aroInstaller = chooseAroInstaller(directory, program);
    const managementCluster = await chooseManagementCluster(directory, hive);
    const installers = await installersOf(directory, local, managementCluster, aroInstaller);
    const kept = stack.move();
    const state = { directory, identity, local, ports, clusterProcesses, pace, ...installers };
    return { ...state, [Symbol.dispose]: () => kept.dispose() };
  } catch (error) {
    throw unusable(directory, error);
  }
}

/** Reads the state directory that the supervisor of this process has opened. @throws StateUnreadable */
export async function readInstanceState(directory: string): Promise<InstanceState> {
  const local = await loadOrCreateAuthority(directory);
  const ports = requirePorts(directory);
  return {
    directory,
    identity: readIdentity(directory),
    local,
    ports,
    clusterProcesses: readClusterProcesses(directory, ports),
    pace: rememberedPace(directory),
    ...(await installersOf(directory, local, readManagementCluster(directory), readAroInstaller(directory))),
  };
}

async function installersOf(
  directory: string,
  local: LocalAuthority,
  managementCluster: ManagementCluster | undefined,
  aroInstaller: AroInstaller | undefined,
): Promise<Pick<InstanceState, "managementCluster" | "aroInstaller" | "installerSecrets">> {
  const graphKey = managementCluster?.graphKey ?? aroInstaller?.graphKey;
  const installerSecrets =
    graphKey === undefined ? undefined : await loadOrCreateInstallerSecrets(directory, local, graphKey);
  return { managementCluster, aroInstaller, installerSecrets };
}

async function earlierComponentsExited(
  directory: string,
  report: ((text: string) => void) | undefined,
): Promise<void> {
  const never = new AbortController().signal;
  const processes = componentProcesses(rememberedClusterProcesses(directory));
  const names = processes.map(({ component, number }) => processName(component, number));
  for (;;) {
    const running = componentsInUse(directory, names);
    if (running.length === 0) return;
    report?.(`waiting for ${running.join(", ")} of an earlier run to exit`);
    await systemClock.sleep(pollMs, never);
  }
}
