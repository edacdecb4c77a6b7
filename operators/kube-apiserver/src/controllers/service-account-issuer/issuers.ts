import { listAt, stringAt } from "@keelson/base";
import type { KubeObject } from "@keelson/kube";

/** Token issuer in the status of a KubeAPIServer. The active issuer has no expiration time. */
export interface Issuer {
  readonly name: string;
  readonly expirationTime?: string;
}

export const defaultIssuer = "https://kubernetes.default.svc";
const trustedMs = 24 * 3_600_000;
const maxTrusted = 10;

/**
 * Returns the issuers with `desired` as the active one. The previous issuer stays trusted for a day, because its tokens are
 * replaced within this time. A trusted issuer can become active again.
 * @throws Error if too many issuers would be trusted
 */
export function nextIssuers(present: readonly Issuer[], desired: string, now: Date): readonly Issuer[] {
  const active = desired === "" ? defaultIssuer : desired;
  const kept = present.filter(
    ({ name, expirationTime }) =>
      name !== active && (expirationTime === undefined || new Date(expirationTime) > now),
  );
  const isSame = present.some(({ name, expirationTime }) => name === active && expirationTime === undefined);
  const ends = new Date(now.getTime() + trustedMs).toISOString().replace(/\.\d+Z$/, "Z");
  const trusted = kept.map(({ name, expirationTime = ends }) => ({ name, expirationTime }));
  if (!isSame && trusted.length > maxTrusted)
    throw new Error(
      `unable to configure more than ${maxTrusted} trusted service account issuers at the time, please wait until old issuers expire`,
    );
  return [{ name: active }, ...trusted];
}

/** Returns the issuers in the status of a KubeAPIServer. */
export function issuersIn(configuration: KubeObject): readonly Issuer[] {
  return listAt(configuration, "status", "serviceAccountIssuers").flatMap((each): Issuer | [] => {
    const [name, expirationTime] = [stringAt(each, "name"), stringAt(each, "expirationTime")];
    if (name === undefined) return [];
    return expirationTime === undefined ? { name } : { name, expirationTime };
  });
}

/** Returns the issuer in Authentication `cluster`. Empty if it is not set. */
export function desiredIssuer(authentication: KubeObject): string {
  return stringAt(authentication, "spec", "serviceAccountIssuer") ?? "";
}
