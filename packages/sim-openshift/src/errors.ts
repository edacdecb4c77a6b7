import { defineErrors } from "@keelson/base";

export const errors = defineErrors({
  /** The hypervisor's stream cannot be read. */
  HypervisorUnavailable: { retry: "backoff" },
  /** A machine's custom data is no boot configuration of this protocol. */
  InvalidBootConfiguration: { retry: "never" },
  /** A manifest of the boot configuration names a kind that the cluster does not serve. */
  UnknownKind: { retry: "backoff" },
  /** A machine's provider specification cannot be carried out as it stands. */
  InvalidMachineConfiguration: { retry: "never" },
  /** The cluster's own credentials for Azure are missing or incomplete. */
  MissingCredentials: { retry: "backoff" },
  /** What was asked for is no fault of a known kind. */
  InvalidFault: { retry: "never" },
  /** What was given is no graph of releases and the updates between them. */
  InvalidUpdateGraph: { retry: "never" },
});
