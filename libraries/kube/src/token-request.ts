import { Secret, stringAt } from "@keelson/base";
import { KubeError } from "./responses/kube-error.ts";

/** Service account token (authentication.k8s.io/v1 TokenRequest). */
export interface ServiceAccountToken {
  readonly token: Secret;
  /** Expiry of the token. The server may grant a different lifetime than the requested one. */
  readonly expires: Date;
}

/** Returns the request for a token with the API server as its audience. Servers reject lifetimes of less than 600 seconds. */
export function tokenRequest(expirationSeconds: number): Readonly<Record<string, unknown>> {
  return { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: { expirationSeconds } };
}

/**
 * Returns the token in the response of a TokenRequest.
 * @throws KubeError InvalidAnswer
 */
export function serviceAccountTokenOf(response: unknown): ServiceAccountToken {
  const token = stringAt(response, "status", "token");
  const expires = new Date(stringAt(response, "status", "expirationTimestamp") ?? "");
  if (!token || Number.isNaN(expires.getTime()))
    throw new KubeError(0, "InvalidAnswer", "the response to a TokenRequest has no token");
  return { token: new Secret(token), expires };
}
