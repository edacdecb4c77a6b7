import { Secret, stringAt } from "@keelson/base";
import { KubeError } from "./responses/kube-error.ts";

/** A token of a service account (authentication.k8s.io/v1 TokenRequest). */
export interface ServiceAccountToken {
  readonly token: Secret;
  /** The server may grant a shorter or longer time than requested. */
  readonly expires: Date;
}

/** Requests a token for the API server itself. Servers reject less than 600 seconds. */
export function tokenRequest(expirationSeconds: number): Readonly<Record<string, unknown>> {
  return { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: { expirationSeconds } };
}

/** @throws KubeError InvalidAnswer */
export function serviceAccountTokenOf(answer: unknown): ServiceAccountToken {
  const token = stringAt(answer, "status", "token");
  const expires = new Date(stringAt(answer, "status", "expirationTimestamp") ?? "");
  if (!token || Number.isNaN(expires.getTime()))
    throw new KubeError(0, "InvalidAnswer", "the response to a TokenRequest has no token");
  return { token: new Secret(token), expires };
}
