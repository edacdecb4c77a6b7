import { randomBytes } from "node:crypto";
import type { ArmResponse } from "../arm/exchange.ts";
import type { Client } from "./client.ts";
import { findClient } from "./client-authentication.ts";
import type { AuthorizationGrant, EntraDeps, EntraRequest } from "./entra-deps.ts";
import { escapeHtml, isOwnForm, messagePage, type Page, page } from "./page.ts";
import { platformOf } from "./redirect-addresses.ts";
import { signInPage } from "./sign-in-page.ts";

/** Maximum length in characters of each request parameter that is stored until the authorization code is redeemed. */
const maxParameter = 512;

/** Authorization endpoint. `GET` returns a page for selecting a user. `POST` receives the page's form. */
export function authorize(deps: EntraDeps, request: EntraRequest): ArmResponse | Page {
  const { query, form, method, cookie, segments } = request;
  const client = findClient(deps, query.get("client_id") ?? "");
  if ("error" in client) return problem(client.code, client.text);
  const redirectUri = query.get("redirect_uri") ?? "";
  const platform = platformOf(client, redirectUri);
  if (!platform) {
    return problem(
      50011,
      `The redirect URI '${redirectUri}' specified in the request does not match the redirect URIs configured for the application '${client.clientId}'. Make sure the redirect URI sent in the request matches one added to your application.`,
    );
  }
  const response = (parameters: Readonly<Record<string, string>>) => goBack(query, redirectUri, parameters);
  const wrong = problemOf(query);
  if (wrong) return response(wrong);
  if (method !== "POST") {
    const application = nameOf(client);
    const target = `/${segments.map(encodeURIComponent).join("/")}?${query}`;
    return signInPage(deps.directory, { target, cookie, application, hint: query.get("login_hint") });
  }
  if (!isOwnForm(form, cookie)) return problem(165000, "The form is not from this browser, or too old.");
  if (form.get("choice") !== "sign-in") {
    return response({ error: "access_denied", error_description: "AADSTS65004: The user declined." });
  }
  const user = deps.directory.findUser(form.get("user") ?? "");
  if (!user || user.disabled) return problem(50034, "The user account does not exist in the directory.");
  const code = randomBytes(48).toString("base64url");
  deps.signIns.codes.add(code, {
    clientId: client.clientId,
    redirectUri,
    platform,
    userId: user.objectId,
    nonce: query.get("nonce") ?? undefined,
    challenge: challengeIn(query),
    isRedeemed: false,
  });
  return response({ code });
}

export function nameOf({ application, principal, clientId }: Client): string {
  return application?.displayName ?? principal?.displayName ?? clientId;
}

/**
 * Returns an error for the client if the parameters are invalid. The error may be sent to the redirect address, because the
 * address has already been validated.
 */
function problemOf(query: URLSearchParams): Readonly<Record<string, string>> | undefined {
  const problemIn = (error: string, text: string) => ({ error, error_description: text });
  if (query.get("response_type") !== "code") {
    return problemIn("unsupported_response_type", "AADSTS70007: Only the response type 'code' is supported.");
  }
  if (query.get("prompt") === "none") {
    return problemIn(
      "login_required",
      "AADSTS50058: A silent sign-in request was sent but no user is signed in.",
    );
  }
  if (!["query", "fragment", "form_post"].includes(query.get("response_mode") ?? "query")) {
    return problemIn("invalid_request", "AADSTS70007: The response mode is not supported.");
  }
  for (const name of ["nonce", "code_challenge"]) {
    if ((query.get(name) ?? "").length > maxParameter) {
      return problemIn(
        "invalid_request",
        `AADSTS90014: The value of '${name}' is longer than ${maxParameter}.`,
      );
    }
  }
  const method = query.get("code_challenge_method") ?? "plain";
  if (query.has("code_challenge") && method !== "plain" && method !== "S256") {
    return problemIn(
      "invalid_request",
      "AADSTS9002331: The code_challenge_method must be 'plain' or 'S256'.",
    );
  }
  return undefined;
}

function challengeIn(query: URLSearchParams): AuthorizationGrant["challenge"] {
  const value = query.get("code_challenge");
  if (value === null) return undefined;
  return { method: query.get("code_challenge_method") === "S256" ? "S256" : "plain", value };
}

/** Redirects the browser to the client. The parameters are sent in the response mode that the client requested. */
function goBack(
  query: URLSearchParams,
  redirectUri: string,
  parameters: Readonly<Record<string, string>>,
): ArmResponse | Page {
  const state = query.get("state");
  const all = new URLSearchParams({ ...parameters, ...(state === null ? {} : { state }) });
  const address = new URL(redirectUri);
  switch (query.get("response_mode")) {
    case "form_post":
      return selfSubmittingForm(address.href, all);
    case "fragment":
      address.hash = all.toString();
      break;
    default:
      for (const [name, value] of all) address.searchParams.append(name, value);
  }
  return { status: 303, headers: { location: address.href, "cache-control": "no-store" } };
}

function selfSubmittingForm(target: string, fields: URLSearchParams): Page {
  const nonce = randomBytes(16).toString("base64url");
  const inputs = [...fields].map(
    ([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
  );
  const body = `<form method="post" action="${escapeHtml(target)}">${inputs.join("")}<button>Continue</button></form>
<script nonce="${nonce}">document.forms[0].submit()</script>`;
  return page("Signed in", body, { nonce });
}

/**
 * Returns an error page for the user. The error is not sent to the redirect address, because the address may not belong to the
 * client.
 */
function problem(code: number, text: string): Page {
  return messagePage("Sign-in failed", `AADSTS${code}: ${text}`, 400);
}
