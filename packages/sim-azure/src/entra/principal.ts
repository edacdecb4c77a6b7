/** Who a request is from, as its token says. */
export interface Principal {
  readonly clientId: string;
  readonly objectId: string;
}
