/** One-time sign-in link for a browser. */
export interface NewLink {
  readonly url: string;
  /** Expiry time of the link (RFC 3339). */
  readonly expires: string;
}

/** Information about the session and the simulation. */
export interface Info {
  /** Required value of the `X-CSRF-Token` header. */
  readonly csrf: string;
  /** Expiry time of the session (RFC 3339). */
  readonly expires: string;
  readonly subscriptionId: string;
  readonly tenantId: string;
  readonly location: string;
  /** URL of the portal. Undefined if the portal does not run. */
  readonly portal?: string;
}
