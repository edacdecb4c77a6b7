import { defineErrors } from "@keelson/base";

export const errors = defineErrors({
  /** The hypervisor's stream cannot be read. */
  HypervisorUnavailable: { retry: "backoff" },
  /** A machine's custom data, or a configuration that it refers to, is not a valid Ignition configuration. */
  InvalidIgnition: { retry: "never" },
  /** A configuration or file of a machine cannot be fetched. */
  IgnitionUnavailable: { retry: "backoff" },
  /** The files of a bootstrap machine do not describe a cluster. */
  InvalidBootConfiguration: { retry: "never" },
  /** A manifest of the boot configuration names a kind that the cluster does not serve. */
  UnknownKind: { retry: "backoff" },
  /** A machine's provider specification is invalid. */
  InvalidMachineConfiguration: { retry: "never" },
  /** The cluster's credentials for Azure are missing or incomplete. */
  MissingCredentials: { retry: "backoff" },
  /** An installer or pruner pod has invalid flags. */
  InvalidStaticPodFlags: { retry: "never" },
  /** The static pod manifest in a ConfigMap is invalid. */
  InvalidStaticPodManifest: { retry: "never" },
  /** A ConfigMap or Secret of a static pod's revision is not there. */
  MissingStaticPodSource: { retry: "never" },
  /** A newer revision of the static pod is being installed on the node. */
  NewerRevisionInstalls: { retry: "never" },
  /** A request sets a fault of an unknown kind. */
  InvalidFault: { retry: "never" },
  /** A request sets no valid rule for images. */
  InvalidImageRule: { retry: "never" },
  /** A request sets an invalid graph of releases and updates. */
  InvalidUpdateGraph: { retry: "never" },
  /** The cluster has too many pending password checks. */
  TooManyPasswords: { retry: "backoff" },
  /** A query of the simulated Prometheus is invalid or exceeds its limits. */
  BadQuery: { retry: "never" },
});
