/** Authenticated caller of a request, from its token. */
export interface Principal {
  readonly clientId: string;
  /** Object ID of the user. If the client does not act for a user, object ID of the client's service principal. */
  readonly objectId: string;
  /** Name of the user. */
  readonly userPrincipalName?: string;
}
