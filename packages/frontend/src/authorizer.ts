import { createHash, timingSafeEqual, X509Certificate } from "node:crypto";
import type { Clock } from "@keelson/base";
import { errors } from "./errors.ts";

/** What an authorizer may look at: nothing of the body, which is not read before the answer. */
export interface AuthorizationRequest {
  /** Normalised: lower case, single slashes. */
  readonly path: string;
  /** As sent; empty when absent. */
  readonly apiVersion: string;
  /** The caller's certificate (DER), which TLS asked for but did not verify. The same array for one connection. */
  readonly peerCertificate: Uint8Array | undefined;
}

/** Decides who may call. There is no authorization per user: Azure Resource Manager has done that. */
export interface Authorizer {
  authorize(request: AuthorizationRequest): boolean;
  /** False while it cannot decide yet; the frontend is not ready then. */
  ready(): boolean;
}

/** Lets everybody in, as a service on a developer's machine does. */
export function acceptAll(): Authorizer {
  return { authorize: () => true, ready: () => true };
}

export interface ClientCertificates {
  /** Callers of the ARM API: certificates (PEM) or thumbprints (SHA-1 or SHA-256, hexadecimal). */
  readonly armThumbprintsOrPems: readonly string[];
  /** Callers of the admin API: certificates (PEM). */
  readonly adminPems: readonly string[];
  readonly clock: Clock;
}

/**
 * Admits callers whose certificate is one of those given, byte for byte, and is valid today.
 * Requests for the admin API need an admin's certificate, all others one of Azure Resource Manager.
 * @throws InvalidCertificate for text that is neither a certificate nor a thumbprint
 */
export function clientCertificates({
  armThumbprintsOrPems,
  adminPems,
  clock,
}: ClientCertificates): Authorizer {
  const arm = armThumbprintsOrPems.map(parseThumbprintOrPem);
  const admin = adminPems.map(parseThumbprintOrPem);
  const callers = new WeakMap<Uint8Array, Caller>();

  /** Digests once per connection, which is as long as the array lives. */
  function callerOf(der: Uint8Array): Caller {
    const known = callers.get(der);
    if (known) return known;
    const caller = examine(der, arm, admin);
    callers.set(der, caller);
    return caller;
  }

  return {
    authorize(request) {
      if (!request.peerCertificate) return false;
      const caller = callerOf(request.peerCertificate);
      const now = clock.now().getTime();
      if (now < caller.validFromMs || now > caller.validToMs) return false;
      return isAdminRequest(request) ? caller.isAdmin : caller.isArm;
    },
    ready: () => true,
  };
}

/** Admin requests are told by path or API version. Source: Azure/ARO-RP pkg/frontend/middleware/authenticated.go. */
export function isAdminRequest(request: Pick<AuthorizationRequest, "path" | "apiVersion">): boolean {
  return request.path.startsWith("/admin") || request.apiVersion.toLowerCase() === "admin";
}

interface Thumbprint {
  readonly algorithm: "sha1" | "sha256";
  readonly digest: Buffer;
}

interface Caller {
  readonly isArm: boolean;
  readonly isAdmin: boolean;
  readonly validFromMs: number;
  readonly validToMs: number;
}

function examine(der: Uint8Array, arm: readonly Thumbprint[], admin: readonly Thumbprint[]): Caller {
  const certificate = new X509Certificate(der);
  return {
    isArm: matchesAny(der, arm),
    isAdmin: matchesAny(der, admin),
    validFromMs: Date.parse(certificate.validFrom),
    validToMs: Date.parse(certificate.validTo),
  };
}

/** Compares with every entry, in constant time, so that the time taken tells nothing about which one matched. */
function matchesAny(der: Uint8Array, thumbprints: readonly Thumbprint[]): boolean {
  let matches = false;
  for (const { algorithm, digest } of thumbprints) {
    if (timingSafeEqual(createHash(algorithm).update(der).digest(), digest)) matches = true;
  }
  return matches;
}

function parseThumbprintOrPem(text: string): Thumbprint {
  const hex = text.replace(/[:\s]/g, "");
  if (/^([0-9a-f]{40}|[0-9a-f]{64})$/i.test(hex)) {
    return { algorithm: hex.length === 40 ? "sha1" : "sha256", digest: Buffer.from(hex, "hex") };
  }
  try {
    const { raw } = new X509Certificate(text);
    return { algorithm: "sha256", digest: createHash("sha256").update(raw).digest() };
  } catch (cause) {
    throw errors.InvalidCertificate(
      "A caller's certificate is neither PEM nor a SHA-1 or SHA-256 thumbprint in hexadecimal.",
      { cause },
    );
  }
}
