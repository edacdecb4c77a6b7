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
  /** A machine's provider specification cannot be carried out as it stands. */
  InvalidMachineConfiguration: { retry: "never" },
  /** The cluster's own credentials for Azure are missing or incomplete. */
  MissingCredentials: { retry: "backoff" },
  /** An installer or pruner pod has flags that it cannot work with. */
  InvalidStaticPodFlags: { retry: "never" },
  /** What a ConfigMap calls a static pod is none. */
  InvalidStaticPodManifest: { retry: "never" },
  /** A ConfigMap or Secret of a static pod's revision is not there. */
  MissingStaticPodSource: { retry: "never" },
  /** A newer revision of the static pod is being installed on the node. */
  NewerRevisionInstalls: { retry: "never" },
  /** What was asked for is no fault of a known kind. */
  InvalidFault: { retry: "never" },
  /** A request sets no valid rule for images. */
  InvalidImageRule: { retry: "never" },
  /** What was given is no graph of releases and the updates between them. */
  InvalidUpdateGraph: { retry: "never" },
  /** Too many passwords of one cluster wait to be checked. */
  TooManyPasswords: { retry: "backoff" },
  /** A query of the simulated Prometheus cannot be read, or asks for too much. */
  BadQuery: { retry: "never" },
});
