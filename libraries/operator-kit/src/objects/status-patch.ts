import { isDeepStrictEqual } from "node:util";
import { listAt, stringAt, valueAt } from "@keelson/base";
import { type Condition, timestamp } from "@keelson/controller";
import {
  type JsonPatchStep,
  type KubeApi,
  KubeError,
  type KubeObject,
  type KubeResource,
} from "@keelson/kube";

/** Status change of one writer. */
export interface StatusChange {
  /** Conditions to set. Conditions of other types are kept. */
  readonly conditions?: readonly Condition[];
  /** Returns true for condition types that are no longer written. */
  readonly obsolete?: (type: string) => boolean;
  /** Status fields other than conditions. Each field is replaced completely. */
  readonly members?: Readonly<Record<string, unknown>>;
}

/** Maximum number of attempts. A concurrent writer may move an entry between the read and the patch. */
const maxAttempts = 10;

/**
 * Patches conditions individually. The patch tests the values that it replaces, so concurrent writers cannot overwrite each
 * other. `lastTransitionTime` changes only with the status. Returns false without a write if nothing differs.
 */
export async function patchStatus(
  api: KubeApi,
  resource: KubeResource,
  found: KubeObject,
  change: StatusChange,
  now: Date,
  signal: AbortSignal,
): Promise<boolean> {
  const { name, namespace } = found.metadata;
  const key = namespace === undefined ? { name } : { name, namespace };
  let live = found;
  for (let attempt = 1; ; attempt++) {
    const steps = statusSteps(live, change, now);
    if (steps.length === 0) return false;
    try {
      await api.jsonPatch(resource, key, steps, signal, "status");
      return true;
    } catch (error) {
      if (attempt >= maxAttempts || !isOutdated(error)) throw error;
      live = await api.get(resource, key, signal);
    }
  }
}

/** Returns the JSON patch that applies the change to `live`. Empty if nothing differs. */
function statusSteps(
  live: KubeObject,
  { conditions = [], members = {}, obsolete = () => false }: StatusChange,
  now: Date,
): readonly JsonPatchStep[] {
  const wanted = new Map(conditions.map((each) => [each.type, each]));
  const present = listAt(live, "status", "conditions");
  const lastTransitionTime = timestamp(now);
  const steps: JsonPatchStep[] = [];
  for (const [index, before] of present.entries()) {
    const condition = wanted.get(stringAt(before, "type") ?? "");
    if (!condition) continue;
    wanted.delete(condition.type);
    if (isSame(before, condition)) continue;
    const flips = stringAt(before, "status") !== condition.status;
    const since = flips ? undefined : stringAt(before, "lastTransitionTime");
    const value = { ...condition, lastTransitionTime: since ?? lastTransitionTime };
    const path = `/status/conditions/${index}`;
    steps.push({ op: "test", path, value: before }, { op: "replace", path, value });
  }
  for (const condition of wanted.values())
    steps.push({ op: "add", path: "/status/conditions/-", value: { ...condition, lastTransitionTime } });
  // Entries are removed from last to first, because each removal changes the index of all later entries.
  for (const [index, before] of [...present.entries()].reverse()) {
    const path = `/status/conditions/${index}`;
    if (obsolete(stringAt(before, "type") ?? ""))
      steps.push({ op: "test", path, value: before }, { op: "remove", path });
  }
  for (const [name, value] of Object.entries(members))
    if (!isDeepStrictEqual(valueAt(live, "status", name), value))
      steps.push({ op: "add", path: `/status/${name}`, value });
  return steps.length === 0 ? [] : [...foundation(live), ...steps];
}

/** Returns the steps that create the status and the list of conditions if they are missing. */
function foundation(live: KubeObject): readonly JsonPatchStep[] {
  if (valueAt(live, "status", "conditions") !== undefined) return [];
  const { resourceVersion } = live.metadata;
  const unchanged = { op: "test", path: "/metadata/resourceVersion", value: resourceVersion } as const;
  return valueAt(live, "status") === undefined
    ? [unchanged, { op: "add", path: "/status", value: { conditions: [] } }]
    : [unchanged, { op: "add", path: "/status/conditions", value: [] }];
}

function isSame(before: unknown, wanted: Condition): boolean {
  return (["status", "reason", "message"] as const).every(
    (name) => (stringAt(before, name) ?? "") === (wanted[name] ?? ""),
  );
}

/** True if the patch is outdated, because one of its tests failed or a list that it changes was removed. */
function isOutdated(error: unknown): boolean {
  return error instanceof KubeError && (error.code === 422 || error.code === 409 || error.code === 400);
}
