import { defineErrors } from "@keelson/base";

export const errors = defineErrors({
  /** The resource ID is not a path below the Azure endpoint. */
  InvalidResourceId: { retry: "never" },
  /** The identity provider rejected the credentials. The message starts with the AADSTS code if there is one. */
  InvalidCredentials: { retry: "never" },
  /** The identity provider is unreachable. */
  IdentityProviderUnavailable: { retry: "backoff" },
  /** The URL for fetching an identity's credentials is not a URL of the managed identity data plane. */
  IdentityUrlForbidden: { retry: "never" },
  /** The identity does not exist in the data plane of managed identities. */
  IdentityNotFound: { retry: "never" },
  /** The data plane of managed identities has no usable credentials for an identity. A retry may succeed. */
  IdentityUnavailable: { retry: "backoff" },
});
