import { type Clock, type Logger, maxExtension, withTimeout } from "@keelson/base";
import { createRemoteJWKSet, customFetch, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from "jose";
import { type AdminRole, greatestRole, type Rights } from "./callers/admin-role.ts";
import type { CallerRule } from "./callers/caller-rule.ts";
import { fetchJson } from "./callers/fetch-json.ts";
import { tokenSubject } from "./token-subject.ts";

/** Allowed difference between the clocks of the identity provider and this machine, in seconds. */
const clockToleranceSeconds = 60;
/** Time limit for fetching the issuer's keys. Tokens are rejected without keys, so the limit allows for a busy machine. */
const fetchLimitMs = 30_000;
/** Maximum token length in characters. Longer tokens are rejected before the expensive verification. */
const maxTokenLength = 16_384;

export interface BearerTokensOptions {
  /** Required `iss` claim of the tokens. */
  readonly issuer: string;
  /** Required `aud` claim of the tokens. It identifies this service. */
  readonly audience: string;
  /** URL of the issuer's keys (JWKS). */
  readonly keysUrl: string;
  /** CA certificates (PEM) that verify the server of `keysUrl`. Default: the public CA certificates. */
  readonly caPem?: string;
  /** IDs of the allowed client applications (`azp` or `appid`). */
  readonly applications: readonly string[];
  /** Accepted values of the token's `roles` claim. If this list is empty, the claim is not checked. */
  readonly roles: readonly string[];
  /** Groups and application roles that grant each administrator role. Default: every caller has all rights. */
  readonly adminRoles?: Readonly<Partial<Record<AdminRole, readonly string[]>>>;
  /** True if an application may send its user's name in request headers. Default: false. */
  readonly vouchesForNames?: boolean;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Admits callers with a bearer token that the issuer created for this service and for one of the applications. Keys are fetched
 * on demand and cached. A token is rejected if its key is unavailable.
 */
export function bearerTokens(options: BearerTokensOptions): CallerRule {
  const { keysUrl, caPem, issuer, audience, clock, logger } = options;
  const keys = createRemoteJWKSet(new URL(keysUrl), {
    // The library does not extend this limit when the event loop is delayed, so the value includes the longest possible
    // extension.
    timeoutDuration: fetchLimitMs * (maxExtension + 1),
    [customFetch]: async (url, { signal }) =>
      Response.json(await fetchJson(url, caPem, withTimeout(signal, fetchLimitMs))),
  });
  return {
    async admits(request) {
      const token = tokenIn(request.header("authorization"));
      if (!token) return false;
      const payload = await verify(token, keys);
      const application = payload && applicationOf(options, payload);
      if (payload === undefined || application === undefined) return false;
      const rights = rightsIn(options, payload);
      if (rights === undefined) return false;
      const { id, kind, name } = tokenSubject(payload, application);
      const vouchesForNames = kind === "application" && options.vouchesForNames === true;
      return { rights, subject: id, vouchesForNames, ...(name === undefined ? {} : { name }) };
    },
    ready: () => true,
  };

  async function verify(token: string, key: JWTVerifyGetKey): Promise<JWTPayload | undefined> {
    try {
      const { payload } = await jwtVerify(token, key, {
        issuer,
        audience,
        algorithms: ["RS256", "PS256", "ES256"],
        requiredClaims: ["exp"],
        clockTolerance: clockToleranceSeconds,
        currentDate: clock.now(),
      });
      return payload;
    } catch (error) {
      // Only the error code is logged, because messages may quote the token.
      const code = error instanceof Error && "code" in error ? error.code : undefined;
      logger.info({ issuer, code }, "bearer token rejected");
      return undefined;
    }
  }
}

function tokenIn(authorization: string | undefined): string | undefined {
  if (authorization === undefined || authorization.length > maxTokenLength) return undefined;
  return /^bearer +([\w-]+\.[\w-]+\.[\w-]+) *$/i.exec(authorization)?.[1];
}

/**
 * Returns the token's application ID. Returns undefined if the application is not allowed or the token's roles are not accepted.
 */
function applicationOf(
  { applications, roles }: BearerTokensOptions,
  payload: JWTPayload,
): string | undefined {
  const application = payload.azp ?? payload.appid;
  if (typeof application !== "string") return undefined;
  if (!applications.some((each) => each.toLowerCase() === application.toLowerCase())) return undefined;
  const granted: readonly unknown[] = Array.isArray(payload.roles) ? payload.roles : [];
  return roles.length === 0 || roles.some((role) => granted.includes(role)) ? application : undefined;
}

function rightsIn({ adminRoles }: BearerTokensOptions, { groups, roles }: JWTPayload): Rights | undefined {
  if (!adminRoles) return true;
  const held = [groups, roles].flatMap((each): readonly unknown[] => (Array.isArray(each) ? each : []));
  return greatestRole(held, adminRoles);
}
