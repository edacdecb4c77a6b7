import type { JWTPayload } from "jose";

/** Caller that a token authenticates. The caller's ID is immutable. */
export interface TokenSubject {
  /** `TENANT/OBJECT` for a user, or `application APPID`. */
  readonly id: string;
  readonly kind: "person" | "application";
  /** User name, for display only. */
  readonly name?: string;
}

const maxName = 256;

/**
 * Returns the subject of an Entra ID token. Users can change names such as `preferred_username`, so names are for display only.
 * Source: learn.microsoft.com, "Access token claims reference" (`idtyp`, `oid`, `tid`, `appid`, `azp`, `scp`).
 */
export function tokenSubject(payload: JWTPayload, application: string): TokenSubject {
  const { oid, tid, sub, idtyp, preferred_username: preferred, upn } = payload;
  const isPerson =
    idtyp === undefined
      ? typeof oid === "string" && (payload.scp !== undefined || payload.preferred_username !== undefined)
      : idtyp !== "app";
  if (!isPerson) return { id: `application ${application.toLowerCase()}`, kind: "application" };
  const name = [preferred, upn].find((each) => typeof each === "string");
  return {
    id: [tid, oid ?? sub].filter((each) => typeof each === "string").join("/"),
    kind: "person",
    ...(name === undefined ? {} : { name: name.slice(0, maxName) }),
  };
}
