import { type Clock, retryAfterMs, Secret } from "@keelson/base";
import { type Challenge, parseChallenge } from "./challenge.ts";
import type { RegistryCredential } from "./credentials.ts";
import { errors } from "./errors.ts";
import { allowedUrl, type HostRules } from "./host-rules.ts";
import {
  type HttpConnection,
  type HttpResponse,
  headerOf,
  startOfBody,
  wholeBody,
} from "./http-connection.ts";
import { errorText, RegistryError } from "./registry-error.ts";

/** User name that Azure container registries require with a refresh token. */
const azureUser = "00000000-0000-0000-0000-000000000000";
/** Time in ms for which a refresh token is reused. The registry accepts the token for three hours. */
const refreshMs = 165 * 60_000;
const maxTokenBytes = 256 * 1024;
/** Token lifetime in seconds if the token response contains no lifetime. */
const defaultLifeSeconds = 60;
const marginSeconds = 10;

interface Held {
  readonly authorization: Secret;
  /** Expiry as a reading of the monotonic clock, in ms. */
  readonly untilMs: number;
}

export interface SignInOptions {
  readonly connection: HttpConnection;
  readonly rules: HostRules;
  readonly credential: RegistryCredential;
  readonly clock: Clock;
}

/** Signs in to one registry. Uses the method that the registry requires: a password, or a token for the requested access. */
export class SignIn {
  readonly #options: SignInOptions;
  readonly #held = new Map<string, Held>();
  readonly #inFlight = new Map<string, Promise<Held>>();
  #refresh: { readonly token: Promise<Secret>; readonly untilMs: number } | undefined;

  constructor(options: SignInOptions) {
    this.#options = options;
  }

  /** Returns the cached `Authorization` value for these scopes, if any. */
  known(scopes: readonly string[]): string | undefined {
    const held = this.#held.get(scopes.join(" "));
    if (held === undefined || held.untilMs <= this.#options.clock.monotonicMs()) return undefined;
    return held.authorization.reveal();
  }

  /** Removes cached credentials that the registry has rejected. */
  forget(scopes: readonly string[]): void {
    this.#held.delete(scopes.join(" "));
  }

  /**
   * Handles a 401 response and returns the `Authorization` value for the next request.
   * @throws SignInFailed; HostNotAllowed; RegistryError
   */
  async respond(response: HttpResponse, scopes: readonly string[], signal: AbortSignal): Promise<string> {
    const key = scopes.join(" ");
    const { registry } = this.#options.rules;
    const challenge = parseChallenge(headerOf(response, "www-authenticate") ?? "");
    if (!challenge)
      throw errors.SignInFailed(
        `registry ${registry} denies access without a supported authentication challenge`,
      );
    const inFlight = this.#inFlight.get(key) ?? this.#obtain(challenge, scopes, signal);
    this.#inFlight.set(key, inFlight);
    try {
      const held = await inFlight;
      this.#held.set(key, held);
      return held.authorization.reveal();
    } finally {
      this.#inFlight.delete(key);
    }
  }

  async #obtain(
    { scheme, parameters }: Challenge,
    scopes: readonly string[],
    signal: AbortSignal,
  ): Promise<Held> {
    const { rules } = this.#options;
    const basic = await this.#basic(signal);
    if (scheme === "basic") {
      if (basic) return { authorization: basic, untilMs: Number.POSITIVE_INFINITY };
      throw errors.SignInFailed(
        `registry ${rules.registry} wants a user and a password, and none are configured`,
      );
    }
    const base = new URL(`https://${rules.registry}`);
    const url = allowedUrl(parameters.realm ?? "", base, rules, "authHosts");
    if (parameters.service) url.searchParams.set("service", parameters.service);
    for (const scope of scopes) url.searchParams.append("scope", scope);
    const answer = await this.#json({ method: "GET", url, signal, basic });
    const token = answer.token ?? answer.access_token;
    if (typeof token !== "string" || token === "") {
      throw errors.SignInFailed(`${url.host} answered no token for registry ${rules.registry}`);
    }
    const seconds = typeof answer.expires_in === "number" ? answer.expires_in : defaultLifeSeconds;
    return {
      authorization: new Secret(`Bearer ${token}`),
      untilMs: this.#options.clock.monotonicMs() + Math.max(0, seconds - marginSeconds) * 1000,
    };
  }

  async #basic(signal: AbortSignal): Promise<Secret | undefined> {
    const { credential } = this.#options;
    switch (credential.kind) {
      case "anonymous":
        return undefined;
      case "password":
        return basicOf(credential.username, credential.password);
      case "azure":
        return basicOf(azureUser, await this.#refreshToken(credential, signal));
    }
  }

  #refreshToken(credential: RegistryCredential & { kind: "azure" }, signal: AbortSignal): Promise<Secret> {
    const now = this.#options.clock.monotonicMs();
    if (this.#refresh && this.#refresh.untilMs > now) return this.#refresh.token;
    const token = this.#exchange(credential, signal);
    const refresh = { token, untilMs: now + refreshMs };
    this.#refresh = refresh;
    token.catch(() => {
      if (this.#refresh === refresh) this.#refresh = undefined;
    });
    return token;
  }

  async #exchange(
    { tenantId, accessToken }: RegistryCredential & { kind: "azure" },
    signal: AbortSignal,
  ): Promise<Secret> {
    const { registry } = this.#options.rules;
    const form = new URLSearchParams({
      grant_type: "access_token",
      service: registry,
      ...(tenantId === undefined ? {} : { tenant: tenantId }),
      access_token: (await accessToken(signal)).reveal(),
    });
    const url = new URL(`https://${registry}/oauth2/exchange`);
    const { refresh_token: token } = await this.#json({ method: "POST", url, form: form.toString(), signal });
    if (typeof token === "string" && token !== "") return new Secret(token);
    throw errors.SignInFailed(`registry ${registry} exchanged no token`);
  }

  async #json(request: {
    readonly method: "GET" | "POST";
    readonly url: URL;
    readonly basic?: Secret | undefined;
    readonly form?: string;
    readonly signal: AbortSignal;
  }): Promise<Record<string, unknown>> {
    const { method, url, basic, form, signal } = request;
    const { connection, rules, clock } = this.#options;
    const response = await connection.send({
      method,
      url,
      headers: {
        accept: "application/json",
        ...(basic ? { authorization: basic.reveal() } : {}),
        ...(form === undefined ? {} : { "content-type": "application/x-www-form-urlencoded" }),
      },
      body: form,
      signal,
    });
    const what = `signing in to registry ${rules.registry} at ${url.host}`;
    const { statusCode: status } = response;
    if (status !== 200) {
      const text = `${what} was answered with ${status}: ${errorText(await startOfBody(response))}`;
      if (status === 429 || status >= 500) {
        throw new RegistryError(status, text, {
          retryAfterMs: retryAfterMs(headerOf(response, "retry-after"), clock.now()),
        });
      }
      throw errors.SignInFailed(`${text}. Check the credentials of registry ${rules.registry}`);
    }
    try {
      return Object(JSON.parse((await wholeBody(response, maxTokenBytes, what)).toString("utf8")));
    } catch (cause) {
      // The message of the JSON parser may quote the token, so it is not used.
      if (cause instanceof SyntaxError)
        throw errors.SignInFailed(`${what} was answered with something that is not JSON`);
      throw cause;
    }
  }
}

function basicOf(username: string, password: Secret): Secret {
  return new Secret(`Basic ${Buffer.from(`${username}:${password.reveal()}`).toString("base64")}`);
}
