import { X509Certificate } from "node:crypto";
import type { AdminRole, Admission } from "../callers/admin-role.ts";
import type { CallerRule } from "../callers/caller-rule.ts";
import { commonNameOf } from "./common-name.ts";

/**
 * Returns a rule that assigns roles to the callers that the certificate rule `rule` admits. The common name of the caller's
 * certificate determines the role. Callers without a role are rejected.
 */
export function certificateRoles(
  rule: CallerRule,
  roleByName: Readonly<Record<string, AdminRole>>,
): CallerRule {
  const names = new WeakMap<readonly Uint8Array[], string>();
  const nameOf = (certificates: readonly Uint8Array[]) => {
    const known = names.get(certificates);
    if (known !== undefined) return known;
    const [own] = certificates;
    const name = (own && commonNameOf(new X509Certificate(own))) ?? "";
    // Each connection has one certificate array, so the name is computed once per connection.
    names.set(certificates, name);
    return name;
  };
  const withRole = (certificates: readonly Uint8Array[], admission: Admission): Admission => {
    if (admission === false) return false;
    const name = nameOf(certificates);
    return Object.hasOwn(roleByName, name) ? (roleByName[name] ?? false) : false;
  };
  return {
    ...(rule.authorityPems ? { authorityPems: rule.authorityPems } : {}),
    admits(request) {
      const admission = rule.admits(request);
      const { peerCertificates } = request;
      return admission instanceof Promise
        ? admission.then((each) => withRole(peerCertificates, each))
        : withRole(peerCertificates, admission);
    },
    ready: () => rule.ready(),
  };
}
