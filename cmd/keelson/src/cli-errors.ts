import { defineErrors } from "@keelson/base";

/** What can go wrong before or around the service itself; each message names the way out. */
export const cliErrors = defineErrors({
  AuditFailed: { retry: "never" },
  CleaningFailed: { retry: "backoff" },
  ClusterFailed: { retry: "never" },
  ConfigUnreadable: { retry: "never" },
  DocumentsDiffer: { retry: "never" },
  InstallationUnwell: { retry: "never" },
  MigrationsMissing: { retry: "never" },
  MirrorFailed: { retry: "never" },
  NotRunning: { retry: "never" },
  NoCluster: { retry: "never" },
  NodeNameMissing: { retry: "never" },
  PodNameMissing: { retry: "never" },
  NotSecret: { retry: "never" },
  NothingToCompare: { retry: "never" },
  PortTaken: { retry: "never" },
  RequestFailed: { retry: "never" },
  SamplesWrong: { retry: "never" },
  SettingMissing: { retry: "never" },
  SimulatorsMissing: { retry: "never" },
  StateLocked: { retry: "backoff" },
  StateUnreadable: { retry: "never" },
  StateUnusable: { retry: "never" },
  StopTimedOut: { retry: "backoff" },
  UnknownCluster: { retry: "never" },
});
