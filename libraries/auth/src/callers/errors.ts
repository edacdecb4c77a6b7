import { defineErrors } from "@keelson/base";

export const errors = defineErrors({
  /** A configured client certificate or CA certificate is invalid. */
  InvalidCertificate: { retry: "never" },
  /** A published certificate list or a token issuer's keys could not be read. */
  DocumentUnavailable: { retry: "backoff" },
});
