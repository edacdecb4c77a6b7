/** Properties of a request that authorizers use. The body is read after the decision. */
export interface AuthorizationRequest {
  /** Normalised: lower case, single slashes. */
  readonly path: string;
  /** The `api-version` parameter as sent, or an empty string. */
  readonly apiVersion: string;
  /**
   * Certificates (DER) that the caller presented, its own first. TLS also accepts unverifiable ones. The
   * array is the same for all requests of a connection. Empty without a certificate.
   */
  readonly peerCertificates: readonly Uint8Array[];
  /** True if TLS verified them against the CA certificates of the authorizer. */
  readonly peerVerified: boolean;
  header(name: string): string | undefined;
}
