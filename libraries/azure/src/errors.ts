import { defineErrors } from "@keelson/base";

export const errors = defineErrors({
  /** What is to be asked of Azure is no path below its endpoint. */
  InvalidResourceId: { retry: "never" },
  /** The identity provider refused the credentials; the message starts with the AADSTS code when it gave one. */
  InvalidCredentials: { retry: "never" },
  /** The identity provider could not be asked. */
  IdentityProviderUnavailable: { retry: "backoff" },
  /** Credentials of an identity are to be fetched where no data plane of managed identities is. */
  IdentityUrlForbidden: { retry: "never" },
  /** The data plane of managed identities does not know an identity. */
  IdentityNotFound: { retry: "never" },
  /** The data plane of managed identities has no usable credentials for an identity, perhaps not yet. */
  IdentityUnavailable: { retry: "backoff" },
});
