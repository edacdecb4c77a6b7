import { defineErrors } from "@keelson/base";

export const sshErrors = defineErrors({
  /** A master, or what is needed to reach it, is not there. */
  Unreachable: { retry: "backoff" },
  /** A master does not have the host key that was recorded for it, or none was recorded. */
  HostKeyUnknown: { retry: "never" },
});
