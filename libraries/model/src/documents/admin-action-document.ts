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
  /** ID of the cluster's document. Missing in documents of older releases: see `isBoundTo`. */
  readonly clusterDocumentId?: string;
  /**
   * The cluster's key until the action has ended. A running action has the lease of its cluster. This key
   * finds the action of a leased cluster, and reserves the cluster while no process runs the action.
   */
  readonly lockKey?: ResourceKey;
  /** Rises from newer to older actions: minus the start, in milliseconds. */
  readonly newestFirst: number;
  /** The last segments of its path, for example `redeployvm`. */
  readonly action: string;
  readonly caller?: string;
  /** User name of the caller, for display only. */
  readonly callerName?: string;
  /** Reason given by the caller. */
  readonly reason?: string;
  readonly correlationId?: string;
  readonly requestId: string;
  /** Parameters of the request, without secrets. */
  readonly parameters: JsonObject;
  /** True if a second process resumes the action after this one stops. */
  readonly resumable: boolean;
  readonly state: AdminActionState;
  readonly startedAt: string;
  readonly endedAt?: string;
  /**
   * An `AdminActionRecord` as JSON. It is secret because the output of commands is only for their callers.
   * Missing in documents of older releases.
   */
  readonly record?: Secret;
}

/** Output and result of an administrator's action. */
export interface AdminActionRecord {
  /** The newest lines only. */
  readonly progress: readonly string[];
  /** Results of finished steps by name. */
  readonly steps: JsonObject;
  readonly error?: CloudErrorBody;
  readonly result?: JsonValue;
}
