import { defineErrors } from "@keelson/base";

export const errors = defineErrors({
  /** A certificate or a set of authorities in the configuration of callers cannot be used. */
  InvalidCertificate: { retry: "never" },
  /** A published list or the keys of a token issuer could not be read. */
  DocumentUnavailable: { retry: "backoff" },
});
