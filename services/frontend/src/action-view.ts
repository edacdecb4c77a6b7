import type { AdminActionDocument } from "@keelson/model";
import { recordOrFault } from "./action-record.ts";

/** Where an action is looked at. */
export function actionPath({ openShiftClusterKey, id }: AdminActionDocument): string {
  return `/admin${openShiftClusterKey}/actions/${id}`;
}

/** An action as administrators see it. */
export function actionView(document: AdminActionDocument): object {
  const { id, action, caller, correlationId, parameters, state, startedAt, endedAt } = document;
  const { progress, error, result, recordError } = recordOrFault(document);
  return {
    id,
    action,
    caller,
    correlationId,
    parameters,
    state,
    startedAt,
    endedAt,
    progress,
    error,
    result,
    recordError,
  };
}
