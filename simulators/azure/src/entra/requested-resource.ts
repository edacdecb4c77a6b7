import { type Refusal, refusal } from "./refusal.ts";

export const graphResource = "https://graph.microsoft.com";

/** Scopes of OpenID Connect, which are not part of a resource. */
const openIdScopes = ["openid", "profile", "email", "offline_access"];

export function isGraph(audience: string): boolean {
  return audience.replace(/\/$/, "") === graphResource;
}

/** Resource in `{resource}/.default`, with a trailing slash if it has one. Version 1 has it in `resource`. */
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
 * Single resource of a user's scopes: `{resource}/.default`, `{resource}/{permission}`. Microsoft Graph for a
 * permission without a resource, and without scopes.
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

/** The permissions that scopes name without their resources: the `scp` of tokens. */
export function permissionsIn(form: URLSearchParams): readonly string[] {
  const named = scopesOf(form)
    .filter((each) => !openIdScopes.includes(each) && !each.endsWith("/.default"))
    .map((each) => each.slice(each.lastIndexOf("/") + 1));
  return [...new Set(["user_impersonation", ...named])];
}

export function scopesOf(form: URLSearchParams): readonly string[] {
  return (form.get("scope") ?? "").split(" ").filter((each) => each !== "");
}
