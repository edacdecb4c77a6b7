import { createHash, randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import type { Secret } from "@keelson/base";

/**
 * Client secret of an application. Times are ISO 8601. Without a start time, the secret is valid from the beginning. Without an
 * end time, it never expires.
 */
export interface PasswordCredential {
  readonly keyId: string;
  readonly digest: string;
  readonly displayName?: string;
  /** First characters of the secret, so that users can distinguish secrets. */
  readonly hint?: string;
  readonly startsAt?: string;
  readonly endsAt?: string;
}

/** Certificate with which an application signs assertions. */
export interface CertificateCredential {
  readonly keyId: string;
  /** Certificate: base64 of DER. */
  readonly certificate: string;
  readonly displayName?: string;
  readonly startsAt: string;
  readonly endsAt: string;
}

/** Credentials of an application or its service principal. Only digests of secrets are stored. */
export interface Credentials {
  readonly passwords: readonly PasswordCredential[];
  readonly certificates?: readonly CertificateCredential[];
}

/** Returns the digest of a secret. A salt is unnecessary, because secrets are long and random. */
export function digestOf(secret: Secret): string {
  return createHash("sha256").update(secret.reveal()).digest("hex");
}

/**
 * True if one of `holders` has the secret and the secret is valid at `now`. The duration of the check does not depend on the
 * secret.
 */
export function checkPassword(
  holders: readonly (Credentials | undefined)[],
  secret: Secret,
  now: Date,
): "valid" | "expired" | "unknown" {
  const digest = Buffer.from(digestOf(secret));
  const found = holders
    .flatMap((each) => each?.passwords ?? [])
    .filter((each) => timingSafeEqual(Buffer.from(each.digest), digest))
    .filter(({ startsAt }) => startsAt === undefined || Date.parse(startsAt) <= now.getTime());
  if (found.length === 0) return "unknown";
  const holds = found.some(({ endsAt }) => endsAt === undefined || Date.parse(endsAt) > now.getTime());
  return holds ? "valid" : "expired";
}

/** Compares two strings in constant time. */
export function sameText(a: string, b: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}

/** Salted hash of a user's password. Both values are base64. */
export interface PasswordHash {
  readonly salt: string;
  readonly hash: string;
}

const derive = promisify<string, Buffer, number, Buffer>(scrypt);
const hashBytes = 32;

/** Returns a salted hash of a user's password. */
export async function hashPassword(password: Secret): Promise<PasswordHash> {
  const salt = randomBytes(16);
  const hash = await derive(password.reveal(), salt, hashBytes);
  return { salt: salt.toString("base64"), hash: hash.toString("base64") };
}

/** True if the password is correct. For users without a stored password, every password is correct. */
export async function isPasswordOf(
  { password }: { readonly password?: PasswordHash },
  given: Secret,
): Promise<boolean> {
  if (!password) return true;
  const hash = await derive(given.reveal(), Buffer.from(password.salt, "base64"), hashBytes);
  return timingSafeEqual(hash, Buffer.from(password.hash, "base64"));
}

/**
 * Returns a GUID that is derived from a string. Because of this, a principal has the same object ID in every new subscription.
 */
export function guidOf(text: string): string {
  const hex = createHash("sha256").update(text.toLowerCase()).digest("hex");
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `a${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ];
  return parts.join("-");
}
