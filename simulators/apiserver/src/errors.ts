import { defineErrors } from "@keelson/base";

/** Errors of server start and cluster management. Request errors are `StatusError`s. */
export const errors = defineErrors({
  ClusterExists: { retry: "never" },
  ClusterNotFound: { retry: "never" },
  InvalidClusterName: { retry: "never" },
  PortTaken: { retry: "never" },
});
