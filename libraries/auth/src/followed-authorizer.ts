import { X509Certificate } from "node:crypto";
import type { Authorizer } from "./authorizer.ts";
import type { Admission } from "./callers/admin-role.ts";
import type { AuthorizationRequest } from "./callers/authorization-request.ts";

/** Certificates (DER) of one connection, as in `AuthorizationRequest`. */
export type PresentedCertificates = Pick<AuthorizationRequest, "peerCertificates" | "peerVerified">;

/** Authorizer with rules that can be replaced at run time. */
export interface FollowedAuthorizer extends Authorizer {
  /** Replaces the rules. Later requests use `next`. */
  use(next: Authorizer): void;
  /**
   * Registers a listener for rule changes. The listener receives the function `isRemoved`. The function returns true for
   * certificates that only the previous rules admit.
   */
  onChange(listener: (isRemoved: (presented: PresentedCertificates) => Promise<boolean>) => void): void;
}

/** Returns an authorizer that uses the rules of `first` until the first call of `use`. */
export function followedAuthorizer(first: Authorizer): FollowedAuthorizer {
  let current = first;
  const listeners: Parameters<FollowedAuthorizer["onChange"]>[0][] = [];
  return {
    authorize: (request) => current.authorize(request),
    ready: () => current.ready(),
    get authorityPems() {
      return current.authorityPems ?? [];
    },
    use(next) {
      const before = current;
      current = next;
      // Open connections were verified against the previous CA certificates. If the new rules lack one of these CA certificates,
      // the connections no longer count as verified.
      const isVerifiedStill = !lacksAuthority(before, next);
      const isRemoved = async (presented: PresentedCertificates) => {
        const peerVerified = presented.peerVerified && isVerifiedStill;
        return (await admits(before, presented)) && !(await admits(next, { ...presented, peerVerified }));
      };
      for (const listener of listeners) listener(isRemoved);
    },
    onChange: (listener) => void listeners.push(listener),
  };
}

/** True if `next` lacks a CA certificate of `before`. */
function lacksAuthority(before: Authorizer, { authorityPems = [] }: Authorizer): boolean {
  const fingerprint = (pem: string) => new X509Certificate(pem).fingerprint256;
  const left = new Set(authorityPems.map(fingerprint));
  return (before.authorityPems ?? []).some((pem) => !left.has(fingerprint(pem)));
}

/** True if the certificates alone, without a token, admit a caller as Azure Resource Manager or as an administrator. */
async function admits(authorizer: Authorizer, presented: PresentedCertificates): Promise<boolean> {
  const decide = (path: string): Admission | Promise<Admission> =>
    authorizer.authorize({ ...presented, path, apiVersion: "", header: () => undefined });
  const [arm, admin] = await Promise.all([decide("/subscriptions"), decide(adminPath)]);
  return arm !== false || admin !== false;
}

const adminPath = "/admin";
