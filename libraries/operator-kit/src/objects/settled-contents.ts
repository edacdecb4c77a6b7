import { createHash } from "node:crypto";
import { valueAt } from "@keelson/base";
import type { Cache } from "@keelson/controller";
import type { KubeObject, ObjectWithAbsent } from "@keelson/kube";

/** Maximum number of objects per cache. The oldest entry is evicted. */
const maxObjects = 10_000;

/** Hashes of object contents. For each content, the server has confirmed that a server-side apply changes nothing. */
export interface SettledContents {
  has(live: KubeObject, wanted: ObjectWithAbsent): boolean;
  add(live: KubeObject, wanted: ObjectWithAbsent): void;
}

/** Confirmed hashes by cache. The caches outlive each `ManagedObjects`, which exists only for one call. */
const ofCaches = new WeakMap<Cache, Map<string, string>>();

export function settledContents(cache: Cache, fieldManager: string): SettledContents {
  const contents = ofCaches.get(cache) ?? new Map<string, string>();
  ofCaches.set(cache, contents);
  const idOf = ({ apiVersion, kind, metadata: { namespace, name } }: ObjectWithAbsent) =>
    JSON.stringify([fieldManager, apiVersion, kind, namespace, name]);
  return {
    has: (live, wanted) => contents.get(idOf(wanted)) === contentOf(live, wanted),
    add(live, wanted) {
      const id = idOf(wanted);
      contents.delete(id);
      contents.set(id, contentOf(live, wanted));
      const [oldest] = contents.keys();
      if (contents.size > maxObjects && oldest !== undefined) contents.delete(oldest);
    },
  };
}

/** Returns a hash of the wanted fields and their current values. */
function contentOf(live: KubeObject, wanted: ObjectWithAbsent): string {
  const { metadata: _, status: __, ...specified } = wanted;
  const present = Object.keys(specified).map((member) => valueAt(live, member));
  return createHash("sha256")
    .update(JSON.stringify([specified, present]))
    .digest("base64");
}
