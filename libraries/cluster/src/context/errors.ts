import { defineErrors } from "@keelson/base";

export const clusterErrors = defineErrors({
  /** The cluster, or something Azure has of it, is not there yet; it will be without a change by anyone. */
  ClusterNotReady: { retry: "backoff" },
});
