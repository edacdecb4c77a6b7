import { isPlainObject, listAt, numberAt, objectAt, stringAt } from "@keelson/base";
import type { ClusterView, MachineSetView } from "../api/clusters.ts";
import { consoleErrors } from "../http/errors.ts";
import { bodyOf } from "../http/world-result.ts";
import type { CallWorld, World } from "../world/world.ts";

const machineApi = "openshift-machine-api";

interface ObjectRef {
  readonly kind: string;
  readonly namespace?: string;
  readonly name?: string;
}

/** Returns the path of a cluster's objects in the service's admin API. */
function objectsPath(id: string, ref: ObjectRef): string {
  return `/admin${id}/kubernetesobjects?${new URLSearchParams(Object.entries(ref))}`;
}

export async function readMachineSets(
  id: string,
  service: CallWorld,
  signal: AbortSignal,
): Promise<readonly MachineSetView[]> {
  const ref = { kind: "MachineSet.machine.openshift.io", namespace: machineApi };
  const body = await bodyOf(service, { method: "GET", path: objectsPath(id, ref) }, signal);
  return listAt(body, "items").map((each) => ({
    name: stringAt(each, "metadata", "name") ?? "",
    replicas: numberAt(each, "spec", "replicas") ?? 0,
    readyReplicas: numberAt(each, "status", "readyReplicas") ?? 0,
  }));
}

/** Returns a cluster's available updates and the update in progress. */
export async function readVersion(
  id: string,
  service: CallWorld,
  signal: AbortSignal,
): Promise<Pick<ClusterView, "channel" | "channels" | "updates" | "updatingTo">> {
  const version = await clusterVersion(id, service, signal);
  const updates = listAt(version, "status", "availableUpdates").flatMap(
    (each) => stringAt(each, "version") ?? [],
  );
  const [newest] = listAt(version, "status", "history");
  const updatingTo = stringAt(newest, "state") === "Completed" ? undefined : stringAt(newest, "version");
  const channel = stringAt(version, "spec", "channel") || undefined;
  return {
    updates,
    channels: channelsFor(stringAt(newest, "version") ?? ""),
    ...(channel === undefined ? {} : { channel }),
    ...(updatingTo === undefined ? {} : { updatingTo }),
  };
}

/** Returns the channels of a version's minor release and the next minor release. */
function channelsFor(version: string): readonly string[] {
  const [, major, minor] = /^(\d+)\.(\d+)\./.exec(version) ?? [];
  return minor === undefined ? [] : [`stable-${major}.${minor}`, `stable-${major}.${Number(minor) + 1}`];
}

async function clusterVersion(
  id: string,
  service: CallWorld,
  signal: AbortSignal,
): Promise<Readonly<Record<string, unknown>>> {
  const ref = { kind: "ClusterVersion.config.openshift.io", name: "version" };
  const body = await bodyOf(service, { method: "GET", path: objectsPath(id, ref) }, signal);
  return isPlainObject(body) ? body : {};
}

export interface Scaling {
  readonly id: string;
  readonly machineSet: string;
  readonly replicas: number;
}

/**
 * Sets the replicas of a machine set through the service's admin API, because ARM does not support changes to a cluster's
 * workers.
 * @throws Conflict, NotFound
 */
export async function scaleMachineSet(
  { id, machineSet, replicas }: Scaling,
  { service }: Pick<World, "service">,
  signal: AbortSignal,
): Promise<void> {
  const ref = { kind: "MachineSet.machine.openshift.io", namespace: machineApi, name: machineSet };
  const body = await bodyOf(service, { method: "GET", path: objectsPath(id, ref) }, signal);
  const spec = { ...objectAt(body, "spec"), replicas };
  await replace(id, { ...(isPlainObject(body) ? body : {}), spec }, service, signal);
}

export interface ChannelChange {
  readonly id: string;
  readonly channel: string;
}

/** Selects an update channel, like `oc adm upgrade channel`. @throws BadRequest for channels of other releases */
export async function selectChannel(
  { id, channel }: ChannelChange,
  { service }: Pick<World, "service">,
  signal: AbortSignal,
): Promise<void> {
  const current = await clusterVersion(id, service, signal);
  const channels = channelsFor(stringAt(current, "status", "history", 0, "version") ?? "");
  if (!channels.includes(channel))
    throw consoleErrors.BadRequest(`channel must be one of ${channels.join(", ")}.`);
  await replace(id, { ...current, spec: { ...objectAt(current, "spec"), channel } }, service, signal);
}

export interface Update {
  readonly id: string;
  readonly version: string;
}

/** Starts an update to an available version, like `oc adm upgrade --to`. @throws BadRequest for other versions */
export async function startUpdate(
  { id, version }: Update,
  { service }: Pick<World, "service">,
  signal: AbortSignal,
): Promise<void> {
  const current = await clusterVersion(id, service, signal);
  const offers = listAt(current, "status", "availableUpdates");
  const offer = offers.find((each) => stringAt(each, "version") === version);
  if (offer === undefined) {
    const versions = offers.map((each) => stringAt(each, "version")).join(", ");
    throw consoleErrors.BadRequest(`Version ${version} is not available. Available: ${versions || "none"}.`);
  }
  const desiredUpdate = { version, image: stringAt(offer, "image") ?? "" };
  const spec = { ...objectAt(current, "spec"), desiredUpdate };
  await replace(id, { ...current, spec }, service, signal);
}

/** Replaces an object. Fails after a concurrent change because the request contains the resourceVersion. */
async function replace(id: string, object: object, service: CallWorld, signal: AbortSignal): Promise<void> {
  await bodyOf(service, { method: "POST", path: `/admin${id}/kubernetesobjects`, body: object }, signal);
}
