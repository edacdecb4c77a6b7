import { defineErrors } from "@keelson/base";

/** Error codes of server start and cluster management. Failed API requests are `StatusError`s instead. */
export const errors = defineErrors({
  ClusterExists: { retry: "never" },
  ClusterNotFound: { retry: "never" },
  InvalidClusterName: { retry: "never" },
  PortTaken: { retry: "never" },
});
