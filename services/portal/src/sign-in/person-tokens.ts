import { type Clock, isCoded, type Logger, messageOf, Secret, timeLimit, untilAborted } from "@keelson/base";
import { create, remove, replace, type Stored } from "@keelson/database";
import type { PortalSignInDocument, ServiceDatabase } from "@keelson/model";
import { signInKey } from "@keelson/portal-sessions";
import { portalErrors } from "../errors/portal-errors.ts";
import type { AdminTokens } from "./entra-id.ts";
import { type Login, loginMs } from "./login.ts";

export interface PersonTokensOptions {
  readonly database: ServiceDatabase;
  /** Renews tokens with a refresh token. */
  readonly refresh: (refreshToken: Secret) => Promise<AdminTokens>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Remaining lifetime in ms below which an access token is renewed. */
const renewMs = 300_000;
const commitMs = 10_000;
const ttlSeconds = loginMs / 1_000 + 300;

/**
 * Tokens with which the portal calls the admin API for signed-in people. The tokens are encrypted in the database. All portals
 * can decrypt them, but browsers cannot. When a sign-in ends, its tokens are deleted.
 */
export class PersonTokens {
  readonly #options: PersonTokensOptions;
  /** Renewals that are running, by ID of the sign-in. */
  readonly #renewals = new Map<string, Promise<AdminTokens>>();

  constructor(options: PersonTokensOptions) {
    this.#options = options;
  }

  /** Stores the tokens of a new sign-in. */
  async keep(signInId: string, tokens: AdminTokens, signal: AbortSignal): Promise<void> {
    const { database } = this.#options;
    const id = signInKey(signInId);
    const document = { id, partitionKey: id, ttlSeconds, tokens: sealed(tokens) };
    const write = create(database.collections.portalSignIns, document);
    const { kind } = await database.commit(id, [write], { signal });
    if (kind !== "committed") throw new Error(`the tokens of a sign-in were not stored: ${kind}`);
  }

  /** Deletes the tokens of a sign-in. */
  async forget({ id }: Login, signal: AbortSignal): Promise<void> {
    const { database } = this.#options;
    const stored = await this.#find(id, signal);
    if (!stored) return;
    const write = remove(database.collections.portalSignIns, stored);
    await database.commit(stored.document.partitionKey, [write], { signal });
  }

  /** Resolves to true if the sign-in has tokens. */
  async has({ id }: Login, signal: AbortSignal): Promise<boolean> {
    return (await this.#find(id, signal)) !== undefined;
  }

  /** Returns a valid access token of the person. @throws Unauthenticated; NotConfigured if the sign-in has no tokens */
  async accessToken({ id }: Login, signal: AbortSignal): Promise<Secret> {
    const stored = await this.#find(id, signal);
    if (!stored)
      throw portalErrors.NotConfigured(
        "The sign-in has no token for the admin API. Sign in again with your account.",
      );
    const tokens = opened(stored.document);
    const leftMs = tokens.expiresAt.getTime() - this.#options.clock.now().getTime();
    if (leftMs >= renewMs) return tokens.accessToken;
    return (await this.#renewed(id, stored, tokens, leftMs, signal)).accessToken;
  }

  #find(signInId: string, signal: AbortSignal): Promise<Stored<PortalSignInDocument> | undefined> {
    const id = signInKey(signInId);
    return this.#options.database.collections.portalSignIns.find(id, id, signal);
  }

  #renewed(
    id: string,
    stored: Stored<PortalSignInDocument>,
    tokens: AdminTokens,
    leftMs: number,
    signal: AbortSignal,
  ): Promise<AdminTokens> {
    // Several requests may wait for the same renewal. If the request that started the renewal is aborted, the renewal must
    // continue for the other requests.
    const renewal =
      this.#renewals.get(id) ?? this.#renew(stored, tokens, leftMs).finally(() => this.#renewals.delete(id));
    this.#renewals.set(id, renewal);
    return untilAborted(renewal, signal);
  }

  async #renew(
    stored: Stored<PortalSignInDocument>,
    tokens: AdminTokens,
    leftMs: number,
  ): Promise<AdminTokens> {
    const { database, refresh, logger } = this.#options;
    const { document } = stored;
    try {
      if (!tokens.refreshToken) throw new Error("the identity provider issued no refresh token");
      const renewed = await refresh(tokens.refreshToken);
      const write = replace(database.collections.portalSignIns, stored, {
        ...document,
        tokens: sealed(renewed),
      });
      // The write fails if a second portal has renewed the tokens, or if the sign-in has ended. The new access token is valid
      // nevertheless.
      await database.commit(document.partitionKey, [write], { signal: timeLimit(commitMs) });
      return renewed;
    } catch (error) {
      if (isCoded(error) && error.retry === "backoff") throw error;
      logger.warn({ reason: messageOf(error) }, "tokens were not renewed");
      if (leftMs > 0) return tokens;
      throw portalErrors.Unauthenticated("The token for the admin API has expired. Sign in again.");
    }
  }
}

function sealed({ accessToken, refreshToken, expiresAt }: AdminTokens): Secret {
  return new Secret(
    JSON.stringify({
      accessToken: accessToken.reveal(),
      ...(refreshToken ? { refreshToken: refreshToken.reveal() } : {}),
      expiresAt: expiresAt.toISOString(),
    }),
  );
}

function opened({ tokens }: PortalSignInDocument): AdminTokens {
  const { accessToken, refreshToken, expiresAt } = JSON.parse(tokens.reveal());
  return {
    accessToken: new Secret(String(accessToken)),
    ...(typeof refreshToken === "string" ? { refreshToken: new Secret(refreshToken) } : {}),
    expiresAt: new Date(String(expiresAt)),
  };
}
