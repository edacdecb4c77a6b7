import { type Refusal, refusal } from "./refusal.ts";

export const graphResource = "https://graph.microsoft.com";

/** OpenID Connect scopes. They do not belong to a resource. */
const openIdScopes = ["openid", "profile", "email", "offline_access"];

export function isGraph(audience: string): boolean {
  return audience.replace(/\/$/, "") === graphResource;
}

/**
 * Returns the resource for which an application requests a token. Version 2 requests contain the resource in the scope
 * `{resource}/.default`. Version 1 requests contain it in the parameter `resource`.
 */
export function applicationAudience(form: URLSearchParams): string | Refusal {
  const resource = form.get("resource");
  if (resource) return resource;
  const [first] = scopesOf(form).filter((each) => each.endsWith("/.default"));
  if (first !== undefined && first !== "/.default") return first.slice(0, -"/.default".length);
  return refusal(
    "invalid_scope",
    70011,
    "The provided value for the input parameter 'scope' is not valid: it must end with '/.default'.",
  );
}

/**
 * Returns the resource of the requested scopes. Returns a refusal if the scopes belong to several resources. A scope has the form
 * `{resource}/.default` or `{resource}/{permission}`. Default: Microsoft Graph.
 */
export function delegatedAudience(form: URLSearchParams): string | Refusal {
  const resource = form.get("resource");
  if (resource) return resource;
  const audiences = new Set(
    scopesOf(form)
      .filter((each) => !openIdScopes.includes(each))
      .map((each) => (each.includes("/") ? each.slice(0, each.lastIndexOf("/")) : graphResource)),
  );
  if (audiences.size <= 1) return [...audiences][0] ?? graphResource;
  return refusal(
    "invalid_scope",
    28000,
    `Provided value for the input parameter scope is not valid because it contains more than one resource. Scope ${scopesOf(form).join(" ")} is not valid.`,
  );
}

/** Returns the permissions in the requested scopes, for the `scp` claim. The resource is removed from each scope. */
export function permissionsIn(form: URLSearchParams): readonly string[] {
  const named = scopesOf(form)
    .filter((each) => !openIdScopes.includes(each) && !each.endsWith("/.default"))
    .map((each) => each.slice(each.lastIndexOf("/") + 1));
  return [...new Set(["user_impersonation", ...named])];
}

export function scopesOf(form: URLSearchParams): readonly string[] {
  return (form.get("scope") ?? "").split(" ").filter((each) => each !== "");
}
