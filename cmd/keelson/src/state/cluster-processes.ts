import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  isPlainObject,
  listAt,
  numberAt,
  type PortReservation,
  reserveFreePort,
  reservePort,
} from "@keelson/base";
import { cliErrors } from "../output/cli-errors.ts";
import { writeFileAtomically } from "./atomic-file.ts";
import type { Ports } from "./ports.ts";
import { readStateFile } from "./state-file.ts";

/** Ports of one process that runs simulated clusters. */
export interface ClusterProcess {
  /** Port of the clusters' API server. */
  readonly clusters: number;
  /** Port of the administration server. */
  readonly admin: number;
}

export const maxClusterProcesses = 32;

/**
 * Returns the processes that run the clusters of a state directory. The first process uses the ports `clusters` and `admin`. The
 * number of processes is fixed when the directory is created, because kubeconfigs contain the port of their cluster's process.
 * Default for `asked`: the number of the last start, or 1 in a new directory.
 * @throws ProcessesFixed if the directory has a different number of processes; PortTaken; StateUnreadable
 */
export async function chooseClusterProcesses(
  directory: string,
  asked: number | undefined,
  ports: Ports,
): Promise<readonly ClusterProcess[]> {
  const problem = clusterProcessesProblem(directory, asked);
  if (problem !== undefined) throw cliErrors.ProcessesFixed(problem);
  const remembered = furtherProcesses(directory);
  await using held = new AsyncDisposableStack();
  const wanted = asked ?? 1 + remembered.length;
  const further: ClusterProcess[] = [];
  const reserve = async (port: number | undefined) => held.use(await reservation(port)).port;
  for (let at = 0; at < wanted - 1; at++) {
    const { clusters, admin } = remembered[at] ?? {};
    further.push({ clusters: await reserve(clusters), admin: await reserve(admin) });
  }
  if (further.length > 0 || existsSync(pathIn(directory)))
    writeFileAtomically(pathIn(directory), `${JSON.stringify({ further })}\n`, 0o644);
  return [firstProcess(ports), ...further];
}

/** Returns the reason why a directory cannot start with this number of processes. Undefined if it can. @throws StateUnreadable */
export function clusterProcessesProblem(directory: string, asked: number | undefined): string | undefined {
  const count = rememberedClusterProcesses(directory);
  const isNew = !existsSync(join(directory, clustersFile(1)));
  if (asked === undefined || asked === count || isNew) return undefined;
  return (
    `--cluster-processes ${asked} is not possible: the state directory ${directory} was created with ${count}, and kubeconfigs ` +
    `contain the ports. Start with \`--cluster-processes ${count}\`, or choose a new directory, for example \`--state /tmp/try\`.`
  );
}

/** Returns the processes of the last start. @throws StateUnreadable */
export function readClusterProcesses(directory: string, ports: Ports): readonly ClusterProcess[] {
  return [firstProcess(ports), ...furtherProcesses(directory)];
}

/** Returns the number of processes of the last start. @throws StateUnreadable */
export function rememberedClusterProcesses(directory: string): number {
  return 1 + furtherProcesses(directory).length;
}

/** Returns the ports of the processes after the first one, with a name for each port. @throws StateUnreadable */
export function furtherPorts(directory: string): readonly (readonly [string, number])[] {
  const ports: [string, number][] = [];
  for (const [index, { clusters, admin }] of furtherProcesses(directory).entries())
    ports.push([`clusters-${index + 2}`, clusters], [`admin-${index + 2}`, admin]);
  return ports;
}

/** Returns the file name of the API server's database of a process. Processes are numbered from 1. */
export function clustersFile(number: number): string {
  return number === 1 ? "clusters.sqlite" : `clusters-${number}.sqlite`;
}

function firstProcess({ clusters, admin }: Ports): ClusterProcess {
  return { clusters, admin };
}

/** Returns the processes after the first one. */
function furtherProcesses(directory: string): readonly ClusterProcess[] {
  const path = pathIn(directory);
  if (!existsSync(path)) return [];
  const remedy = "restore it from a backup, because kubeconfigs of clusters contain its ports";
  const further = listAt(readStateFile<{ further: unknown }>(path, ["further"], remedy), "further");
  return further.map((each) => {
    const [clusters, admin] = [numberAt(each, "clusters"), numberAt(each, "admin")];
    if (!isPlainObject(each) || !isPort(clusters) || !isPort(admin))
      throw cliErrors.StateUnreadable(`${path} cannot be used (it contains an invalid port): ${remedy}`);
    return { clusters, admin };
  });
}

function isPort(port: number | undefined): port is number {
  return port !== undefined && Number.isInteger(port) && port > 0 && port <= 65_535;
}

async function reservation(port: number | undefined): Promise<PortReservation> {
  const reserved = port === undefined ? await reserveFreePort() : await reservePort(port);
  if (reserved) return reserved;
  throw cliErrors.PortTaken(
    `port ${port}, for a process of simulated clusters, is in use. Stop the program that uses it.`,
  );
}

function pathIn(directory: string): string {
  return join(directory, "cluster-processes.json");
}
