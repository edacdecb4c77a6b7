/** Who a request is from, as its token says. */
export interface Principal {
  readonly clientId: string;
  /** The user's, where the client acts for one; else the service principal's. */
  readonly objectId: string;
  /** Of the user. */
  readonly userPrincipalName?: string;
}
