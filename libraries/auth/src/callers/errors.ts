import { defineErrors } from "@keelson/base";

export const errors = defineErrors({
  /** A certificate or a CA certificate in the configuration of callers is invalid. */
  InvalidCertificate: { retry: "never" },
  /** A published list or the keys of a token issuer could not be read. */
  DocumentUnavailable: { retry: "backoff" },
});
