import { defineErrors } from "@keelson/base";

/** What starting a server and managing its clusters can fail with. Failures of requests are `StatusError`s. */
export const errors = defineErrors({
  ClusterExists: { retry: "never" },
  ClusterNotFound: { retry: "never" },
  InvalidClusterName: { retry: "never" },
  PortTaken: { retry: "never" },
});
