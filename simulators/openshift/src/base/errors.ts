import { defineErrors } from "@keelson/base";

export const errors = defineErrors({
  /** The event stream of the hypervisor cannot be read. */
  HypervisorUnavailable: { retry: "backoff" },
  /** A different process of simulated clusters does not respond. */
  ClustersUnavailable: { retry: "backoff" },
  /** The custom data of a machine, or a configuration that it references, is not a valid Ignition configuration. */
  InvalidIgnition: { retry: "never" },
  /** An Ignition configuration or file of a machine cannot be fetched. */
  IgnitionUnavailable: { retry: "backoff" },
  /** The boot files of a bootstrap machine do not describe a cluster. */
  InvalidBootConfiguration: { retry: "never" },
  /** A manifest in the boot configuration has a kind that the cluster does not serve. */
  UnknownKind: { retry: "backoff" },
  /** A machine's provider specification is invalid. */
  InvalidMachineConfiguration: { retry: "never" },
  /** The cluster's credentials for Azure are missing or incomplete. */
  MissingCredentials: { retry: "backoff" },
  /** An installer or pruner pod has invalid flags. */
  InvalidStaticPodFlags: { retry: "never" },
  /** The static pod manifest in a ConfigMap is invalid. */
  InvalidStaticPodManifest: { retry: "never" },
  /** A ConfigMap or Secret of a static pod revision does not exist. */
  MissingStaticPodSource: { retry: "never" },
  /** A newer revision of the static pod is already being installed on the node. */
  NewerRevisionInstalls: { retry: "never" },
  /** A request injects a fault of an unknown kind. */
  InvalidFault: { retry: "never" },
  /** A request contains an invalid image rule. */
  InvalidImageRule: { retry: "never" },
  /** A request contains an invalid update graph. */
  InvalidUpdateGraph: { retry: "never" },
  /** The cluster has too many pending password checks. */
  TooManyPasswords: { retry: "backoff" },
  /** A query of the simulated Prometheus is invalid or exceeds its limits. */
  BadQuery: { retry: "never" },
});
