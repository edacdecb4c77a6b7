import { defineErrors } from "@keelson/base";

export const sshErrors = defineErrors({
  /** A master, or a component needed to reach it, is unavailable. */
  Unreachable: { retry: "backoff" },
  /** The host key of a master differs from the recorded one, or none is recorded. */
  HostKeyUnknown: { retry: "never" },
});
