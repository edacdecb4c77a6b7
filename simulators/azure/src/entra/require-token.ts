import { ArmError } from "../arm/arm-error.ts";
import type { Principal } from "../arm/principal.ts";
import { claimsChallenge } from "./claims-challenge.ts";
import type { Tokens } from "./tokens.ts";

/**
 * Verifies the token in the `Authorization` header, for a service that has its own token audience. Returns the token's principal.
 * @throws ArmError 401 with `challenge` in `WWW-Authenticate`
 */
export async function requireToken(
  tokens: Tokens,
  audience: string,
  authorization = "",
  challenge = "Bearer",
): Promise<Principal> {
  const token = /^Bearer (\S+)$/i.exec(authorization)?.[1];
  const verdict = token === undefined ? missing : await tokens.verify(token, [audience]);
  if (!("code" in verdict)) return verdict;
  const headers = {
    "www-authenticate": `${challenge}${claimsChallenge(verdict, challenge === "Bearer" ? " " : ", ")}`,
    "x-ms-error-code": verdict.code,
  };
  throw new ArmError(401, verdict.code, verdict.message, { headers });
}

const missing = {
  code: "AuthenticationFailed",
  message: "The 'Authorization' header is missing or does not carry a bearer token.",
};
