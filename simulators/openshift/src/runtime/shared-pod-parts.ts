import { isPlainObject } from "@keelson/base";
import { withoutManagedFields } from "@keelson/controller";
import type { KubeObject } from "@keelson/kube";

/** Maximum number of parts in each of the two generations. */
const maxParts = 2_000;
/** Longest part that is shared, in characters of JSON. */
const longestPart = 4_096;

/**
 * Replaces equal values by one shared value. Values are stored in two generations. When the newer generation is full, the older
 * generation is discarded, and the newer generation becomes the older generation.
 */
class Parts {
  #newer = new Map<string, unknown>();
  #older = new Map<string, unknown>();

  share(value: unknown): unknown {
    if (typeof value === "string") return this.#known(value, value);
    if (typeof value !== "object" || value === null) return value;
    const key = JSON.stringify(value);
    return key.length > longestPart ? value : this.#known(key, value);
  }

  #known(key: string, value: unknown): unknown {
    const newer = this.#newer.get(key);
    if (newer !== undefined) return newer;
    const shared = this.#older.get(key) ?? value;
    if (this.#newer.size >= maxParts) [this.#newer, this.#older] = [new Map(), this.#newer];
    this.#newer.set(key, shared);
    return shared;
  }
}

const parts = new Parts();
const share = (value: unknown) => parts.share(value);

/**
 * Removes the managed fields of a pod, and shares the parts of the pod that equal parts of recent pods. Pods of one workload differ
 * in few fields, so a cached pod needs about half the memory.
 */
export function withSharedParts(pod: KubeObject): KubeObject {
  const { metadata, ...rest } = withoutManagedFields(pod);
  return {
    ...rest,
    metadata: changed(metadata, {
      labels: share,
      annotations: share,
      ownerReferences: share,
    }) as typeof metadata,
    spec: changed(rest.spec, {
      tolerations: share,
      securityContext: share,
      affinity: share,
      containers: eachOf({ image: share, resources: share, env: share, ports: share }),
      volumes: eachOf({ projected: share }),
    }),
    status: changed(rest.status, {
      conditions: (conditions) => mapped(conditions, share),
      containerStatuses: eachOf({ image: share, imageID: share, state: share, lastState: share }),
      hostIPs: share,
      startTime: share,
    }),
  };
}

type Change = (value: unknown) => unknown;

/** Returns a copy of an object with changed fields. Missing fields stay missing. Other values stay unchanged. */
function changed(value: unknown, changes: Readonly<Record<string, Change>>): unknown {
  if (!isPlainObject(value)) return value;
  const copy: Record<string, unknown> = { ...value };
  for (const [name, change] of Object.entries(changes))
    if (copy[name] !== undefined) copy[name] = change(copy[name]);
  return copy;
}

function eachOf(changes: Readonly<Record<string, Change>>): Change {
  return (list) => mapped(list, (item) => changed(item, changes));
}

function mapped(list: unknown, change: Change): unknown {
  return Array.isArray(list) ? list.map(change) : list;
}
