import { isDeepStrictEqual } from "node:util";
import { listAt, objectAt, valueAt } from "@keelson/base";
import type { Predicate } from "@keelson/controller";
import { conditionStatus, type KubeObject } from "@keelson/kube";

/** Ignores heartbeats: updates of a node that change only the heartbeat times of its conditions. */
export const nodeChanged: Predicate = ({ type, object, before }) =>
  type !== "updated" || isChanged(before, object);

/** Ignores updates of a node that change neither its readiness nor its labels. */
export const nodeReadinessChanged: Predicate = ({ type, object, before }) =>
  type !== "updated" ||
  conditionStatus(object, "Ready") !== conditionStatus(before, "Ready") ||
  !isDeepStrictEqual(object.metadata.labels, before.metadata.labels);

export function isMaster({ metadata }: KubeObject): boolean {
  return "node-role.kubernetes.io/master" in (metadata.labels ?? {});
}

/**
 * Cached comparison of each node with its previous version, because several controllers compare the same update. Cached objects
 * are immutable.
 */
const known = new WeakMap<KubeObject, { readonly before: KubeObject; readonly changed: boolean }>();

function isChanged(before: KubeObject, after: KubeObject): boolean {
  const last = known.get(after);
  if (last?.before === before) return last.changed;
  const changed = !isDeepStrictEqual(withoutHeartbeats(before), withoutHeartbeats(after));
  known.set(after, { before, changed });
  return changed;
}

function withoutHeartbeats({ metadata, spec, status }: KubeObject): unknown {
  const { resourceVersion: _, ...rest } = metadata;
  const conditions = listAt(status, "conditions").map((condition) => ({
    ...objectAt(condition),
    lastHeartbeatTime: undefined,
  }));
  return [rest, spec, { ...objectAt(status), conditions: valueAt(status, "conditions") && conditions }];
}
