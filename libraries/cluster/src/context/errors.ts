import { defineErrors } from "@keelson/base";

export const clusterErrors = defineErrors({
  /** The cluster or one of its Azure resources is not ready yet. It becomes ready without intervention. */
  ClusterNotReady: { retry: "backoff" },
});
