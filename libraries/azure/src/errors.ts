import { defineErrors } from "@keelson/base";

export const errors = defineErrors({
  /** The ID is not a path below the Azure endpoint. */
  InvalidResourceId: { retry: "never" },
  /** The identity provider refused the credentials. The message starts with the AADSTS code, if any. */
  InvalidCredentials: { retry: "never" },
  /** The identity provider is unreachable. */
  IdentityProviderUnavailable: { retry: "backoff" },
  /** The URL for an identity's credentials is not at the data plane of managed identities. */
  IdentityUrlForbidden: { retry: "never" },
  /** The data plane of managed identities does not have the identity. */
  IdentityNotFound: { retry: "never" },
  /** The data plane of managed identities has no usable credentials for an identity, perhaps not yet. */
  IdentityUnavailable: { retry: "backoff" },
});
