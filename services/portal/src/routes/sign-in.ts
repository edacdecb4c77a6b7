import { randomUUID } from "node:crypto";
import type { Clock } from "@keelson/base";
import { signOutRequestSchema } from "@keelson/portal-api";
import { Value } from "typebox/value";
import { portalErrors } from "../errors/portal-errors.ts";
import { type PortalContext, type PortalResponse, type PortalRoute, route } from "../http/portal-route.ts";
import { clearCookie, cookieIn, setCookie } from "../sign-in/cookies.ts";
import { type EntraId, type PendingSignIn, type SignInFailure, signInFailure } from "../sign-in/entra-id.ts";
import { type Logins, loginCookie } from "../sign-in/login.ts";
import type { PersonTokens } from "../sign-in/person-tokens.ts";
import { redirectTarget } from "../sign-in/redirect-target.ts";
import { configuredGroups, type PortalGroups, roleOf } from "../sign-in/roles.ts";
import type { SessionKeys } from "../sign-in/session-keys.ts";
import type { SignOuts } from "../sign-in/sign-outs.ts";

export interface SignInRoutesDeps {
  readonly entraId: EntraId;
  readonly keys: SessionKeys;
  readonly logins: Logins;
  readonly signOuts: SignOuts;
  /** Tokens for the admin API. Undefined if the portal has no admin API. */
  readonly personTokens?: PersonTokens | undefined;
  readonly groups: PortalGroups;
  /** Origin of the portal in the form `https://host:port`. */
  readonly origin: string;
  readonly clock: Clock;
}

/**
 * Cookie of a sign-in that is not complete. It binds the sign-in to the browser that started it. Portals on different ports of a
 * host share this cookie.
 */
const pendingCookie = "__Host-portal-sign-in";
const pendingPurpose = "portal-sign-in";
const pendingSeconds = 600;

interface Pending extends PendingSignIn {
  readonly target: string;
}

/** Routes for sign-in and sign-out. */
export function signInRoutes(deps: SignInRoutesDeps): readonly PortalRoute[] {
  return [
    {
      method: "GET",
      path: "/api/login",
      access: "open",
      handle: ({ url }) => begin(deps, redirectTarget(url.searchParams.get("redirect_uri"))),
    },
    { method: "GET", path: "/callback", access: "open", handle: (context) => complete(deps, context) },
    route("POST", "/api/logout", async ({ login, signal }) => {
      await deps.signOuts.end(login(), signal);
      await deps.personTokens?.forget(login(), signal);
      return { status: 303, headers: { location: "/", "set-cookie": clearCookie(loginCookie) } };
    }),
    route("POST", "/api/sign-outs", (context) => endAll(deps, context)),
  ];
}

/** Ends all sign-ins of a person. A person needs an elevation to end the sign-ins of other people. */
async function endAll({ signOuts }: SignInRoutesDeps, context: PortalContext): Promise<PortalResponse> {
  const { username, role } = context.login();
  const body = await context.json();
  if (!Value.Check(signOutRequestSchema, body))
    throw portalErrors.BadRequest("The body must be an object with an optional string 'username'.");
  const person = body.username ?? username;
  const isOwn = person.toLowerCase() === username.toLowerCase();
  if (!isOwn && role !== "elevated")
    throw portalErrors.Forbidden("Elevated access is required to sign out another person.");
  await signOuts.endAllOf(person, context.signal);
  return { status: 204, person, headers: isOwn ? { "set-cookie": clearCookie(loginCookie) } : {} };
}

async function begin(deps: SignInRoutesDeps, target: string): Promise<PortalResponse> {
  const { entraId, keys, origin, clock } = deps;
  const { url, pending } = await entraId.begin(`${origin}/callback`).catch((cause: unknown) => {
    throw portalErrors.SignInFailed("The identity provider does not respond. Try again later.", { cause });
  });
  const expires = new Date(clock.now().getTime() + pendingSeconds * 1_000);
  const sealed = await keys.seal(pendingPurpose, { ...pending, target }, expires, randomUUID());
  const cookie = setCookie(pendingCookie, sealed, pendingSeconds);
  return { status: 307, headers: { location: url.href, "set-cookie": cookie } };
}

async function complete(deps: SignInRoutesDeps, context: PortalContext): Promise<PortalResponse> {
  const { entraId, logins, signOuts, groups, personTokens } = deps;
  const { url, signal } = context;
  const pending = await pendingIn(deps, context);
  // This browser started no sign-in, or the sign-in has expired. The portal therefore starts a new sign-in.
  if (!pending) return begin(deps, "/");
  const ended = clearCookie(pendingCookie);
  const refused = (status: number, text: string, caller?: string): PortalResponse => ({
    status,
    text: `${text}\n`,
    headers: { "set-cookie": ended },
    ...(caller === undefined ? {} : { caller }),
  });
  if (url.searchParams.get("state") !== pending.state)
    return refused(400, "This response belongs to a different sign-in. Open the portal again.");
  if (url.searchParams.has("error")) return refused(403, "The sign-in was not completed.");
  let failure: SignInFailure | undefined;
  const person = await entraId
    .complete(url, pending, configuredGroups(groups), signal)
    .catch((error: unknown) => {
      failure = signInFailure(error);
      context.logger.warn({ ...failure }, "a sign-in failed");
      return undefined;
    });
  if (!person) return refused(502, failureText(failure));
  const role = roleOf(person.groups, groups);
  if (!role)
    return refused(403, "You are not a member of a group with access to the portal.", person.username);
  const generation = await signOuts.generationOf(person.username, signal);
  const { username, subject, tokens } = person;
  const id = randomUUID();
  if (tokens) await personTokens?.keep(id, tokens, signal);
  const cookie = await logins.begin({ id, username, subject }, role, generation);
  return {
    status: 307,
    headers: { location: pending.target, "set-cookie": [ended, cookie] },
    caller: person.username,
  };
}

function failureText(failure: SignInFailure | undefined): string {
  if (failure?.code === undefined)
    return "The identity provider's response is invalid. Open the portal again.";
  return (
    `The identity provider rejected the portal's request (${failure.code}). Open the portal again. ` +
    'If the error persists, the portal\'s log has the reason in the line "a sign-in failed".'
  );
}

async function pendingIn(
  { keys, clock }: SignInRoutesDeps,
  { header }: PortalContext,
): Promise<Pending | undefined> {
  const sealed = cookieIn(header("cookie"), pendingCookie);
  if (sealed === undefined) return undefined;
  const { state, nonce, verifier, target } = (await keys.open(pendingPurpose, sealed, clock.now())) ?? {};
  const texts = [state, nonce, verifier, target];
  const isWhole = texts.every((each) => typeof each === "string");
  return isWhole
    ? { state: `${state}`, nonce: `${nonce}`, verifier: `${verifier}`, target: `${target}` }
    : undefined;
}
