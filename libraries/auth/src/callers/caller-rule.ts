import { X509Certificate } from "node:crypto";
import type { Admission } from "./admin-role.ts";
import type { AuthorizationRequest } from "./authorization-request.ts";
import { errors } from "./errors.ts";

/** Authentication rule for one kind of caller. */
export interface CallerRule {
  admits(request: AuthorizationRequest): Admission | Promise<Admission>;
  /** False while the rule cannot decide yet. During that time, the rule rejects all callers. */
  ready(): boolean;
  /** CA certificates (PEM) with which TLS must verify callers. Default: none. */
  readonly authorityPems?: readonly string[];
}

/**
 * Returns the CA certificates of all rules. The rules must have identical CA certificates, because TLS uses one CA bundle for all
 * rules. With different CAs, a certificate of a CA that only one rule trusts would also pass the other rules.
 * @throws InvalidCertificate if the rules have different CA certificates
 */
export function sharedAuthorities(rules: readonly CallerRule[]): readonly string[] {
  const sets = rules.map(({ authorityPems = [] }) => authorityPems).filter((pems) => pems.length > 0);
  const [first = [], ...others] = sets;
  const fingerprints = (pems: readonly string[]) =>
    [...new Set(pems.map((pem) => new X509Certificate(pem).fingerprint256))].sort().join();
  if (others.every((pems) => fingerprints(pems) === fingerprints(first))) return first;
  throw errors.InvalidCertificate(
    "Callers that are identified by name must have the same CA certificates. Configure the CA certificates of all of them, or list the certificates.",
  );
}

/**
 * Combines rules. The first rule that accepts a caller admits the caller. The combined rule is ready if at least one rule is
 * ready.
 */
export function anyOf(rules: readonly CallerRule[]): CallerRule {
  return {
    async admits(request) {
      for (const rule of rules) {
        const admission = await rule.admits(request);
        if (admission !== false) return admission;
      }
      return false;
    },
    ready: () => rules.some((rule) => rule.ready()),
    authorityPems: sharedAuthorities(rules),
  };
}
