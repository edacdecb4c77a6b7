/** A link that signs a browser in once. */
export interface NewLink {
  readonly url: string;
  /** RFC 3339. */
  readonly expires: string;
}

/** Facts about the session and the simulated world. */
export interface Info {
  /** Value of the header `X-CSRF-Token`. */
  readonly csrf: string;
  /** End of the session, RFC 3339. */
  readonly expires: string;
  readonly subscriptionId: string;
  readonly tenantId: string;
  readonly location: string;
  /** URL of the portal. Undefined if it does not run. */
  readonly portal?: string;
}
