import { defineErrors } from "@keelson/base";

export const sshErrors = defineErrors({
  /** A master, or a component between the portal and the master, is unavailable. */
  Unreachable: { retry: "backoff" },
  /** The host key of a master is not recorded or differs from the recorded key. */
  HostKeyUnknown: { retry: "never" },
});
