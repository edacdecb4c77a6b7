import type { JsonObject } from "@keelson/base";
import type { ClusterDocument } from "@keelson/model";
import type { AdminAction } from "./admin-action.ts";

/** Who asked for which action on which cluster. */
export interface ActionRequest {
  readonly action: AdminAction;
  readonly parameters: JsonObject;
  /** The cluster as it was when the action began. */
  readonly document: ClusterDocument;
  readonly requestId: string;
  readonly caller: string | undefined;
  readonly correlationId: string | undefined;
}

/** Without secrets. */
export function recordedParameters({ action, parameters }: ActionRequest): JsonObject {
  return action.recorded?.(parameters) ?? parameters;
}
