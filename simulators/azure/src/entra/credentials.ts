import { createHash, randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import type { Secret } from "@keelson/base";
import type { User } from "./directory.ts";

/** Secret of an application. Times are ISO 8601. Unset times do not limit it. */
export interface PasswordCredential {
  readonly keyId: string;
  readonly digest: string;
  readonly displayName?: string;
  /** First characters of the secret, with which users distinguish secrets. */
  readonly hint?: string;
  readonly startsAt?: string;
  readonly endsAt?: string;
}

/** A certificate that an application signs assertions with. */
export interface CertificateCredential {
  readonly keyId: string;
  /** DER, base64. */
  readonly certificate: string;
  readonly displayName?: string;
  readonly startsAt: string;
  readonly endsAt: string;
}

/** Credentials of an application or its service principal. Secrets are stored as digests. */
export interface Credentials {
  readonly passwords: readonly PasswordCredential[];
  readonly certificates?: readonly CertificateCredential[];
}

/** A plain digest is sufficient, because secrets are random and long. */
export function digestOf(secret: Secret): string {
  return createHash("sha256").update(secret.reveal()).digest("hex");
}

/**
 * Checks if one of `holders` has the secret, and if it is valid at `now`. The time is the same for any
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

/** Compares two texts in a time that does not depend on where they differ. */
export function sameText(a: string, b: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}

const derive = promisify<string, Buffer, number, Buffer>(scrypt);
const hashBytes = 32;

/** Salted hash of a password that a user chose. */
export async function hashPassword(password: Secret): Promise<NonNullable<User["password"]>> {
  const salt = randomBytes(16);
  const hash = await derive(password.reveal(), salt, hashBytes);
  return { salt: salt.toString("base64"), hash: hash.toString("base64") };
}

/** True if the password is correct. Users without a password accept any. */
export async function isPasswordOf({ password }: User, given: Secret): Promise<boolean> {
  if (!password) return true;
  const hash = await derive(given.reveal(), Buffer.from(password.salt, "base64"), hashBytes);
  return timingSafeEqual(hash, Buffer.from(password.hash, "base64"));
}

/** Deterministic GUID of a string, so that a principal keeps its object ID in a new subscription. */
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
