import type { CloudErrorBody, ResourceKey } from "@keelson/arm";
import type { JsonObject, JsonValue, Secret } from "@keelson/base";

const adminActionStates = ["Running", "Succeeded", "Failed", "Interrupted"] as const;

export type AdminActionState = (typeof adminActionStates)[number];

/** Running or finished action of an administrator on one cluster. Partition: subscription ID, lower case. */
export interface AdminActionDocument {
  /** A UUID. */
  readonly id: string;
  readonly partitionKey: string;
  readonly openShiftClusterKey: ResourceKey;
  /** ID of the cluster's document. Undefined in documents of older releases: see `isBoundTo`. */
  readonly clusterDocumentId?: string;
  /**
   * Key of the cluster. The field is removed when the action has ended. A process can find the action of a leased cluster by this
   * key. If the process that runs the action dies, the key reserves the cluster until the action resumes.
   */
  readonly lockKey?: ResourceKey;
  /** Negative start time in ms. Sorting by this value returns the newest action first. */
  readonly newestFirst: number;
  /** Last segments of the path in the admin API, for example `redeployvm`. */
  readonly action: string;
  readonly caller?: string;
  /** User name of the caller, for display only. */
  readonly callerName?: string;
  /** Reason that the caller gave. */
  readonly reason?: string;
  readonly correlationId?: string;
  readonly requestId: string;
  /** Parameters of the request, without secrets. */
  readonly parameters: JsonObject;
  /** True if a second process resumes the action after the first process has stopped. */
  readonly resumable: boolean;
  readonly state: AdminActionState;
  readonly startedAt: string;
  readonly endedAt?: string;
  /**
   * `AdminActionRecord` as JSON. It is encrypted, because only the caller of a command may see the command's output. Undefined in
   * documents of older releases.
   */
  readonly record?: Secret;
}

/** Output and result of an administrator's action. */
export interface AdminActionRecord {
  /** Newest progress lines. Older lines are dropped. */
  readonly progress: readonly string[];
  /** Results of finished steps by name. */
  readonly steps: JsonObject;
  readonly error?: CloudErrorBody;
  readonly result?: JsonValue;
}
