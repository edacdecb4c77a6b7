import type { AdminActionDocument } from "@keelson/model";

/** Returns the path of an action in the admin API. */
export function actionPath({ openShiftClusterKey, id }: AdminActionDocument): string {
  return `/admin${openShiftClusterKey}/actions/${id}`;
}
