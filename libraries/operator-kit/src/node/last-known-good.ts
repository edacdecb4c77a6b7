import { randomUUID } from "node:crypto";
import { isPlainObject, objectAt } from "@keelson/base";
import { parse } from "yaml";
import type { NodeDisk } from "./node-disk.ts";

/** Paths of a static pod's manifests on a node. */
export interface StaticPodPlaces {
  /** `kube-apiserver`. */
  readonly targetName: string;
  readonly manifestsDir: string;
  readonly resourceDir: string;
}

export const fallbackAnnotations = {
  revision: "startup-monitor.static-pods.openshift.io/fallback-for-revision",
  reason: "startup-monitor.static-pods.openshift.io/fallback-reason",
  message: "startup-monitor.static-pods.openshift.io/fallback-message",
} as const;

export interface FailedRevision {
  readonly revision: number;
  readonly reason: string;
  readonly message: string;
}

type Manifest = Readonly<Record<string, unknown>>;

/**
 * Returns the revision in the manifest that the kubelet uses.
 * @throws Error for a missing manifest or label
 */
export async function followedRevision(places: StaticPodPlaces, disk: NodeDisk): Promise<number> {
  const path = manifestPath(places);
  const manifest = await readManifest(path, disk);
  const metadata = isPlainObject(manifest?.metadata) ? manifest.metadata : {};
  const label = isPlainObject(metadata.labels) ? metadata.labels.revision : undefined;
  if (typeof label !== "string" || !/^\d{1,9}$/.test(label))
    throw new Error(`${path} has no label with its revision`);
  return Number(label);
}

export async function markGood(
  revision: number,
  { resourceDir, targetName }: StaticPodPlaces,
  disk: NodeDisk,
): Promise<void> {
  const target = `${targetName}-pod-${revision}/${targetName}-pod.yaml`;
  const link = `${resourceDir}/${targetName}-last-known-good`;
  if ((await disk.readLink(link)) !== target) await disk.writeLink(link, target);
}

/**
 * Makes the kubelet run the last known good revision. If no revision is recorded as good, the highest older revision is first
 * recorded as good, because it ran before the failing revision. Because of this record, a later fallback uses this revision, and
 * not a newer revision that never started. Returns false if there is no older revision. The failing revision then continues to
 * run.
 */
export async function fallBack(
  failed: FailedRevision,
  places: StaticPodPlaces,
  disk: NodeDisk,
): Promise<boolean> {
  const { resourceDir, targetName } = places;
  const link = `${resourceDir}/${targetName}-last-known-good`;
  if ((await readManifest(link, disk)) === undefined) {
    const older = await highestBefore(failed.revision, places, disk);
    if (older === undefined) return false;
    await markGood(older, places, disk);
  }
  const good = objectAt(await readManifest(link, disk));
  const metadata = objectAt(good.metadata);
  const annotations = {
    ...objectAt(metadata.annotations),
    [fallbackAnnotations.revision]: String(failed.revision),
    [fallbackAnnotations.reason]: failed.reason,
    [fallbackAnnotations.message]: failed.message,
  };
  // A new UID makes the kubelet restart the pod.
  const content = JSON.stringify({ ...good, metadata: { ...metadata, annotations, uid: randomUUID() } });
  await disk.writeFile(manifestPath(places), { content: `${content}\n`, mode: 0o600 });
  return true;
}

async function highestBefore(
  revision: number,
  { resourceDir, targetName }: StaticPodPlaces,
  disk: NodeDisk,
): Promise<number | undefined> {
  const prefix = `${targetName}-pod-`;
  const older = (await disk.directories(resourceDir))
    .filter((name) => name.startsWith(prefix) && /^\d{1,9}$/.test(name.slice(prefix.length)))
    .map((name) => Number(name.slice(prefix.length)))
    .filter((each) => each < revision)
    .toSorted((a, b) => b - a);
  for (const each of older) {
    const found = await readManifest(`${resourceDir}/${prefix}${each}/${targetName}-pod.yaml`, disk);
    if (found) return each;
  }
  return undefined;
}

function manifestPath({ manifestsDir, targetName }: StaticPodPlaces): string {
  return `${manifestsDir}/${targetName}-pod.yaml`;
}

/** Returns the manifest. Undefined if it is missing or invalid. */
async function readManifest(path: string, disk: NodeDisk): Promise<Manifest | undefined> {
  const text = await disk.readFile(path);
  if (text === undefined) return undefined;
  try {
    const value: unknown = parse(text, { maxAliasCount: 100, logLevel: "silent" });
    return isPlainObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
