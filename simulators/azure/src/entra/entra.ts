import { type ArmResponse, ok } from "../arm/exchange.ts";
import { asJson } from "../base/json.ts";
import { authorize } from "./authorize.ts";
import { beginDeviceSignIn, deviceSignInPage } from "./device-code.ts";
import type { EntraDeps, EntraRequest } from "./entra-deps.ts";
import { instanceDiscovery, openIdConfiguration } from "./openid-configuration.ts";
import { messagePage, type Page } from "./page.ts";
import { platformOf } from "./redirect-addresses.ts";
import { refuse } from "./refusal.ts";
import { isTenant, noTenant } from "./tenants.ts";
import { issueTokens } from "./token-endpoint.ts";
import { realmOf } from "./user-realm.ts";

/** Handles requests to the identity provider. Returns `undefined` if the path belongs to a different service. */
export async function handleEntra(
  deps: EntraDeps,
  request: EntraRequest,
): Promise<ArmResponse | Page | undefined> {
  const [tenant = "", ...rest] = request.segments;
  const route = rest.join("/").toLowerCase();
  if (route === "discovery/instance") {
    return ok(instanceDiscovery(tenantAskedAbout(request.query) ?? tenant, request.baseUrl));
  }
  const [first, user = ""] = rest;
  const isRealm = first?.toLowerCase() === "userrealm" && rest.length === 2;
  const serve = isRealm
    ? () => ok(realmOf(deps, user, request.baseUrl))
    : routeOf(deps, request, tenant, route);
  if (!serve) return undefined;
  return isTenant(deps.tenantId, tenant) ? serve() : refuse(deps, noTenant(tenant));
}

/**
 * Returns the tenant in the query parameter `authorization_endpoint`. The parameter contains the endpoint of an authority.
 * Clients send it to the `common` tenant to request this authority's metadata.
 */
function tenantAskedAbout(query: URLSearchParams): string | undefined {
  const path = URL.parse(query.get("authorization_endpoint") ?? "")?.pathname;
  return /^\/([\w.-]+)\/oauth2\//.exec(path ?? "")?.[1];
}

type Serve = () => ArmResponse | Page | Promise<ArmResponse | Page>;

function routeOf(deps: EntraDeps, request: EntraRequest, tenant: string, route: string): Serve | undefined {
  // Active Directory Federation Services (AD FS) has only one version of each endpoint. The paths of these endpoints are the
  // version 1 paths.
  const configuration = (version: "v1" | "v2") => () =>
    ok(openIdConfiguration(deps.tenantId, tenant, version, request.baseUrl));
  const isAdfs = tenant.toLowerCase() === "adfs";
  const isPost = request.method === "POST";
  switch (route) {
    case "v2.0/.well-known/openid-configuration":
      return configuration("v2");
    case ".well-known/openid-configuration":
      return configuration("v1");
    case "discovery/v2.0/keys":
    case "discovery/keys":
      return () => ok(asJson(deps.tokens.keySet()));
    case "oauth2/v2.0/token":
      return isPost ? () => issueTokens(deps, request, "v2") : undefined;
    case "oauth2/token":
      return isPost ? () => issueTokens(deps, request, isAdfs ? "v2" : "v1") : undefined;
    case "oauth2/v2.0/authorize":
    case "oauth2/authorize":
      return () => authorize(deps, request);
    case "oauth2/v2.0/devicecode":
    case "oauth2/devicecode":
      return isPost ? () => beginDeviceSignIn(deps, request) : undefined;
    case "oauth2/deviceauth":
      return () => deviceSignInPage(deps, request);
    case "oauth2/v2.0/logout":
    case "oauth2/logout":
      return () => logOut(deps, request);
    default:
      return undefined;
  }
}

/**
 * Handles a sign-out. There are no sessions to end. The browser is redirected only to an address that is registered for an
 * application.
 */
function logOut({ directory }: EntraDeps, { query }: EntraRequest): ArmResponse | Page {
  const address = query.get("post_logout_redirect_uri") ?? "";
  const isKnown = directory
    .applications()
    .some((application) => platformOf({ ...application, application, principal: undefined }, address));
  if (!isKnown) return messagePage("Signed out", "This window can be closed.");
  const state = query.get("state");
  const target = new URL(address);
  if (state !== null) target.searchParams.append("state", state);
  return { status: 303, headers: { location: target.href, "cache-control": "no-store" } };
}
