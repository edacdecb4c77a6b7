import { isPlainObject, listAt, messageOf, numberAt, stringAt } from "@keelson/base";
import type { ClusterSummary, ClusterView, MachineView, OperationView } from "../api/clusters.ts";
import { bodyOf } from "../http/world-result.ts";
import type { CallWorld, World } from "../world/world.ts";
import { machinesOf } from "./cluster-machines.ts";
import { readMachineSets, readVersion } from "./kubernetes-changes.ts";
import { clusterApiVersion } from "./service-clusters.ts";

type Item = Readonly<Record<string, unknown>>;

export function summaryOf(cluster: Item): ClusterSummary {
  const text = (...path: readonly (string | number)[]) => stringAt(cluster, "properties", ...path) ?? "";
  const id = String(cluster.id);
  const existing = listAt(cluster, "properties", "workerProfilesStatus");
  const profiles = existing.length > 0 ? existing : listAt(cluster, "properties", "workerProfiles");
  return {
    name: String(cluster.name),
    resourceGroup: id.split("/")[4] ?? "",
    id,
    state: text("provisioningState"),
    version: text("clusterProfile", "version"),
    visibility: text("apiserverProfile", "visibility"),
    masterSize: text("masterProfile", "vmSize"),
    workerSize: stringAt(profiles[0], "vmSize") ?? "",
    workers: profiles.reduce<number>((sum, each) => sum + (numberAt(each, "count") ?? 0), 0),
  };
}

/** Returns one cluster with its machines. Unavailable data is omitted. */
export async function clusterView(id: string, world: World, signal: AbortSignal): Promise<ClusterView> {
  const path = `${id}?api-version=${clusterApiVersion}`;
  const body = await bodyOf(world.arm, { method: "GET", path }, signal);
  const cluster: Item = isPlainObject(body) ? body : {};
  let problem: string | undefined;
  const orElse = <T>(read: Promise<T>, missing: T): Promise<T> =>
    read.catch((error: unknown) => {
      problem ??= messageOf(error);
      return missing;
    });
  const [machines, powers, machineSets, version, operation] = await Promise.all([
    orElse(machinesOf(cluster, world, signal), []),
    orElse(powersOf(id, world.service, signal), new Map<string, string>()),
    orElse(readMachineSets(id, world.service, signal), []),
    orElse(readVersion(id, world.service, signal), { updates: [], channels: [] }),
    newestOperation(id, world.service, signal).catch(() => undefined),
  ]);
  return {
    ...summaryOf(cluster),
    machines: machines.map((machine): MachineView => {
      const power = powers.get(machine.name);
      return { ...machine, ...(power === undefined ? {} : { power }) };
    }),
    machineSets,
    ...version,
    ...(operation ? { operation } : {}),
    ...(problem === undefined ? {} : { problem }),
  };
}

/** Returns the power states by virtual machine name. */
async function powersOf(
  id: string,
  service: CallWorld,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const body = await bodyOf(service, { method: "GET", path: `/admin${id}/resources` }, signal);
  const resources = Array.isArray(body) ? body : listAt(body, "value");
  return new Map(
    resources.flatMap((resource: unknown): readonly (readonly [string, string])[] => {
      const statuses = listAt(resource, "properties", "instanceView", "statuses");
      const codes = statuses.map((status) => stringAt(status, "code") ?? "");
      const power = codes.find((code) => code.startsWith("PowerState/"));
      const name = stringAt(resource, "name");
      return name === undefined || power === undefined ? [] : [[name, power.slice("PowerState/".length)]];
    }),
  );
}

async function newestOperation(
  id: string,
  service: CallWorld,
  signal: AbortSignal,
): Promise<OperationView | undefined> {
  const body = await bodyOf(service, { method: "GET", path: `/admin${id}/operations` }, signal);
  const [newest] = listAt(body, "value");
  if (newest === undefined) return undefined;
  const [percentComplete, step] = [
    numberAt(newest, "percentComplete"),
    stringAt(newest, "properties", "step"),
  ];
  const error = stringAt(newest, "error", "message");
  return {
    name: stringAt(newest, "name") ?? "",
    status: stringAt(newest, "status") ?? "",
    ...(percentComplete === undefined ? {} : { percentComplete }),
    ...(step === undefined ? {} : { step }),
    ...(error === undefined ? {} : { error }),
  };
}
