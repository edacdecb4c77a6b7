import { defineErrors } from "@keelson/base";

export const clusterErrors = defineErrors({
  /** The cluster or one of its Azure resources is not ready yet. A retry later succeeds without intervention. */
  ClusterNotReady: { retry: "backoff" },
});
