import { isDeepStrictEqual } from "node:util";
import { type AroCluster, clusters, singleton } from "@keelson/aro-api";
import type { Clock } from "@keelson/base";
import { type Cache, type Condition, timestamp } from "@keelson/controller";
import { type JsonPatchStep, type KubeApi, KubeError, listAt, textAt } from "@keelson/kube";
import { isKnownCondition } from "./condition-types.ts";

export interface ClusterStatusOptions {
  readonly api: KubeApi;
  readonly cache: Cache;
  /** Written as `status.operatorVersion` with every change; absent for the role that does not own it. */
  readonly operatorVersion?: string;
  readonly clock: Clock;
}

/** A condition's message is shown in lists: the API's etcd is no log. */
const maxMessage = 4_096;
/** Another writer moved an entry between the read and the patch: read again. */
const maxAttempts = 10;

interface Pending {
  readonly conditions: Map<string, Condition>;
  readonly members: Map<string, unknown>;
  readonly written: Promise<void>;
}

/**
 * Writes the status of the Cluster. Calls of the same moment are one request; each is a JSON patch of single
 * conditions that tests what it replaces, so that no writer's condition is lost to another's (the operator's other
 * role, an administrator). Nothing is written when nothing differs.
 */
export class ClusterStatus {
  readonly #options: ClusterStatusOptions;
  #pending: Pending | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: ClusterStatusOptions) {
    this.#options = options;
  }

  /** Resolves when the conditions are written. `lastTransitionTime` moves only with the status. */
  set(conditions: readonly Condition[]): Promise<void> {
    const pending = this.#open();
    for (const each of conditions)
      pending.conditions.set(each.type, { ...each, message: (each.message ?? "").slice(0, maxMessage) });
    return pending.written;
  }

  /** Sets members of the status besides its conditions, such as `redHatKeysPresent`. */
  setMember(name: string, value: unknown): Promise<void> {
    const pending = this.#open();
    pending.members.set(name, value);
    return pending.written;
  }

  #open(): Pending {
    if (this.#pending) return this.#pending;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const pending: Pending = { conditions: new Map(), members: new Map(), written: promise };
    this.#pending = pending;
    // A turn of the event loop gathers what the controllers that run now report.
    const write = async () => {
      await new Promise((next) => setImmediate(next));
      this.#pending = undefined;
      await this.#write(pending);
    };
    this.#last = this.#last.then(write).then(resolve, reject);
    return pending;
  }

  async #write(pending: Pending): Promise<void> {
    const { api, cache } = this.#options;
    const signal = AbortSignal.timeout(30_000);
    let live = cache.known(clusters, singleton)?.object ?? (await api.get(clusters, singleton, signal));
    for (let attempt = 1; ; attempt++) {
      const steps = this.#steps(live, pending);
      if (steps.length === 0) return;
      try {
        await api.jsonPatch(clusters, singleton, steps, signal, "status");
        return;
      } catch (error) {
        if (attempt >= maxAttempts || !isOutdated(error)) throw error;
        live = await api.get(clusters, singleton, signal);
      }
    }
  }

  #steps(live: AroCluster, { conditions, members }: Pending): readonly JsonPatchStep[] {
    const { clock, operatorVersion } = this.#options;
    const present = listAt(live, "status", "conditions");
    const now = timestamp(clock.now());
    const steps: JsonPatchStep[] = [];
    const known = new Set<string>();
    for (const [index, before] of present.entries()) {
      const wanted = conditions.get(textAt(before, "type") ?? "");
      if (wanted) known.add(wanted.type);
      if (!wanted || isSame(before, wanted)) continue;
      const path = `/status/conditions/${index}`;
      const since =
        textAt(before, "status") === wanted.status ? textAt(before, "lastTransitionTime") : undefined;
      steps.push({ op: "test", path, value: before });
      steps.push({ op: "replace", path, value: { ...wanted, lastTransitionTime: since ?? now } });
    }
    for (const wanted of conditions.values())
      if (!known.has(wanted.type))
        steps.push({
          op: "add",
          path: "/status/conditions/-",
          value: { ...wanted, lastTransitionTime: now },
        });
    if (conditions.size > 0 && operatorVersion !== undefined) {
      for (const [index, before] of [...present.entries()].reverse())
        if (!isKnownCondition(textAt(before, "type") ?? "")) steps.push(...removal(index, before));
      if (live.status?.operatorVersion !== operatorVersion)
        steps.push(member("operatorVersion", operatorVersion));
    }
    const status: Readonly<Record<string, unknown>> = live.status ?? {};
    for (const [name, value] of members)
      if (!isDeepStrictEqual(status[name], value)) steps.push(member(name, value));
    return steps.length === 0 ? [] : [...foundation(live), ...steps];
  }
}

/** Lists and objects that the steps lie in. */
function foundation(live: AroCluster): readonly JsonPatchStep[] {
  if (live.status?.conditions !== undefined) return [];
  const unchanged = {
    op: "test",
    path: "/metadata/resourceVersion",
    value: live.metadata.resourceVersion,
  } as const;
  return live.status === undefined
    ? [unchanged, { op: "add", path: "/status", value: { conditions: [] } }]
    : [unchanged, { op: "add", path: "/status/conditions", value: [] }];
}

function removal(index: number, before: unknown): readonly JsonPatchStep[] {
  const path = `/status/conditions/${index}`;
  return [
    { op: "test", path, value: before },
    { op: "remove", path },
  ];
}

function member(name: string, value: unknown): JsonPatchStep {
  return { op: "add", path: `/status/${name}`, value };
}

function isSame(before: unknown, wanted: Condition): boolean {
  return (["status", "reason", "message"] as const).every(
    (name) => (textAt(before, name) ?? "") === (wanted[name] ?? ""),
  );
}

/** A test failed, or a list that was there is gone. */
function isOutdated(error: unknown): boolean {
  return error instanceof KubeError && (error.code === 422 || error.code === 409 || error.code === 400);
}
