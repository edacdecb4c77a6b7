/** Authenticated caller of a request, from its token. */
export interface Principal {
  readonly clientId: string;
  /** Object ID of the user, or of the service principal if the client acts for no user. */
  readonly objectId: string;
  /** Name of the user. */
  readonly userPrincipalName?: string;
}
