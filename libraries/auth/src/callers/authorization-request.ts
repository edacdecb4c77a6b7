/** Properties of a request that authorizers use. The body is read after the decision. */
export interface AuthorizationRequest {
  /** Normalised: lower case, single slashes. */
  readonly path: string;
  /** The `api-version` parameter as sent, or an empty string. */
  readonly apiVersion: string;
  /**
   * The certificates (DER) that the caller presented, its own first; TLS lets those in that it could not verify, too.
   * The same array for one connection. Empty when there were none.
   */
  readonly peerCertificates: readonly Uint8Array[];
  /** True when TLS verified them against the authorities of the authorizer. */
  readonly peerVerified: boolean;
  header(name: string): string | undefined;
}
