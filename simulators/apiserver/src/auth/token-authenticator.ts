/** User of a bearer token. Each user is also in `system:authenticated`. */
export interface TokenUser {
  readonly user: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/**
 * Authenticates bearer tokens of other issuers, for example of an OAuth server. The function is called for each token that
 * earlier authenticators rejected, so it should be fast. Returns `undefined` for unknown or expired tokens.
 */
export type TokenAuthenticator = (token: string) => Promise<TokenUser | undefined> | TokenUser | undefined;
