/** Sender of a request according to its token. */
export interface Principal {
  readonly clientId: string;
  /** Object ID of the user if the client acts for one, else of the service principal. */
  readonly objectId: string;
  /** Name of the user. */
  readonly userPrincipalName?: string;
}
