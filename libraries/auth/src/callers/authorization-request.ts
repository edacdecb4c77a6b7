/** Request properties that authorizers evaluate. The body is read only after authorization. */
export interface AuthorizationRequest {
  /** Normalized path: lower case, single slashes. */
  readonly path: string;
  /** Value of the `api-version` parameter. Empty if the request has none. */
  readonly apiVersion: string;
  /**
   * Certificate chain (DER) of the caller, leaf first. The chain may be unverified: see `peerVerified`. All requests of a
   * connection share this array. The array is empty if the client sent no certificate.
   */
  readonly peerCertificates: readonly Uint8Array[];
  /** True if TLS verified the chain against the authorizer's CA certificates. */
  readonly peerVerified: boolean;
  header(name: string): string | undefined;
}
