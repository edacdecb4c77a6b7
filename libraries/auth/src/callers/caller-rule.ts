import { X509Certificate } from "node:crypto";
import type { Admission } from "./admin-role.ts";
import type { AuthorizationRequest } from "./authorization-request.ts";
import { errors } from "./errors.ts";

/** How one kind of caller proves to be it. */
export interface CallerRule {
  admits(request: AuthorizationRequest): Admission | Promise<Admission>;
  /** False while it has nothing to decide by; nobody is admitted then. */
  ready(): boolean;
  /** The authorities (PEM) against which TLS is to verify callers' certificates; none when absent. */
  readonly authorityPems?: readonly string[];
}

/**
 * The authorities of all rules. TLS verifies against one set of them, so that no caller of one rule gets by another's
 * authorities to where that one leads, rules that have any have the same.
 * @throws InvalidCertificate otherwise
 */
export function sharedAuthorities(rules: readonly CallerRule[]): readonly string[] {
  const sets = rules.map(({ authorityPems = [] }) => authorityPems).filter((pems) => pems.length > 0);
  const [first = [], ...others] = sets;
  const fingerprints = (pems: readonly string[]) =>
    [...new Set(pems.map((pem) => new X509Certificate(pem).fingerprint256))].sort().join();
  if (others.every((pems) => fingerprints(pems) === fingerprints(first))) return first;
  throw errors.InvalidCertificate(
    "Callers that are known by a name and its authorities must have the same authorities: list those of all, or list certificates.",
  );
}

/** Admits whom any of the rules admits, as the first that does; ready when one of them is. */
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
