import { defineErrors } from "@keelson/base";

/** What can go wrong before or around the service itself; each message names the way out. */
export const cliErrors = defineErrors({
  ClusterFailed: { retry: "never" },
  NotRunning: { retry: "never" },
  PortTaken: { retry: "never" },
  RequestFailed: { retry: "never" },
  StateLocked: { retry: "backoff" },
  StateUnreadable: { retry: "never" },
  StopTimedOut: { retry: "backoff" },
  UnknownCluster: { retry: "never" },
});
