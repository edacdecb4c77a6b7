import { defineErrors } from "@keelson/base";

export const sshErrors = defineErrors({
  /** A master, or a component on the path to it, is unavailable. */
  Unreachable: { retry: "backoff" },
  /** The host key of a master is not recorded or differs from the recorded key. */
  HostKeyUnknown: { retry: "never" },
});
