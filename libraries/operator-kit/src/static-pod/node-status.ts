import { isPlainObject, listAt, numberAt, stringAt } from "@keelson/base";
import type { JsonPatchStep, KubeObject } from "@keelson/kube";

/** Rollout state of a node, stored in `status.nodeStatuses`. Missing fields are read as zero or an empty string. */
export interface NodeStatus {
  readonly nodeName: string;
  readonly nodeUID?: string;
  readonly currentRevision: number;
  /** Revision that is being installed. 0 if no installation is in progress. */
  readonly targetRevision: number;
  readonly lastFailedRevision: number;
  readonly lastFailedTime?: string;
  readonly lastFailedReason: string;
  readonly lastFailedCount: number;
  readonly lastFallbackCount: number;
  readonly lastFailedRevisionErrors: readonly string[];
}

const numbers = [
  "currentRevision",
  "targetRevision",
  "lastFailedRevision",
  "lastFailedCount",
  "lastFallbackCount",
] as const;

export function nodeStatuses(configuration: KubeObject): readonly NodeStatus[] {
  return listAt(configuration, "status", "nodeStatuses").map((entry) => {
    const [currentRevision = 0, targetRevision = 0, lastFailedRevision = 0, failed = 0, fallback = 0] =
      numbers.map((name) => numberAt(entry, name) ?? 0);
    const nodeUID = stringAt(entry, "nodeUID");
    const lastFailedTime = stringAt(entry, "lastFailedTime");
    return {
      nodeName: stringAt(entry, "nodeName") ?? "",
      ...(nodeUID === undefined ? {} : { nodeUID }),
      currentRevision,
      targetRevision,
      lastFailedRevision,
      ...(lastFailedTime === undefined ? {} : { lastFailedTime }),
      lastFailedReason: stringAt(entry, "lastFailedReason") ?? "",
      lastFailedCount: failed,
      lastFallbackCount: fallback,
      lastFailedRevisionErrors: listAt(entry, "lastFailedRevisionErrors").filter(
        (each) => typeof each === "string",
      ),
    };
  });
}

/** Returns the status of a node before its first installation. */
export function newNodeStatus(nodeName: string, nodeUID: string | undefined): NodeStatus {
  return {
    nodeName,
    ...(nodeUID === undefined ? {} : { nodeUID }),
    currentRevision: 0,
    targetRevision: 0,
    ...noFailure,
  };
}

export const noFailure = {
  lastFailedRevision: 0,
  lastFailedReason: "",
  lastFailedCount: 0,
  lastFallbackCount: 0,
  lastFailedRevisionErrors: [],
} as const;

/** Returns the patch that replaces the node's entry. The patch fails if the entry has changed since it was read. */
export function replaceNodeStatus(configuration: KubeObject, status: NodeStatus): readonly JsonPatchStep[] {
  const entries = listAt(configuration, "status", "nodeStatuses");
  const index = entries.findIndex((each) => stringAt(each, "nodeName") === status.nodeName);
  if (index < 0) throw new Error(`the status has no entry of node ${status.nodeName}`);
  const path = `/status/nodeStatuses/${index}`;
  const before = entries[index];
  return [
    { op: "test", path, value: before },
    { op: "replace", path, value: onTheWire(status, before) },
  ];
}

/**
 * Removes empty fields. Keeps an empty number or string if `before` has the field, because the schema requires these fields.
 */
export function onTheWire(status: NodeStatus, before: unknown = {}): Readonly<Record<string, unknown>> {
  const isThere = (name: string) => isPlainObject(before) && Object.hasOwn(before, name);
  const isEmpty = (value: unknown) =>
    value === 0 || value === "" || (Array.isArray(value) && value.length === 0);
  const members = Object.entries(status).filter(
    ([name, value]) => !isEmpty(value) || (isThere(name) && !Array.isArray(value)),
  );
  return Object.fromEntries(members);
}
