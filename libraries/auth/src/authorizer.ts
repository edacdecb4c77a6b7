import type { Admission } from "./callers/admin-role.ts";
import type { AuthorizationRequest } from "./callers/authorization-request.ts";
import { type CallerRule, sharedAuthorities } from "./callers/caller-rule.ts";
import { certificateSubject } from "./certificates/certificate-subject.ts";

/**
 * Decides whether a caller is allowed. Azure Resource Manager authorizes customers, so this service does not authorize them
 * again. For an administrator, the decision depends on the administrator's role.
 */
export interface Authorizer {
  authorize(request: AuthorizationRequest): Admission | Promise<Admission>;
  /**
   * False while the authorizer cannot decide yet, for example before it has read the allowed certificates. The frontend reports
   * not ready during this time.
   */
  ready(): boolean;
  /** CA certificates (PEM) against which TLS verifies callers. Default: none. */
  readonly authorityPems?: readonly string[];
}

/** Returns an authorizer that admits every caller. Used by development services. */
export function acceptAll(): Authorizer {
  return { authorize: () => true, ready: () => true };
}

/**
 * Applies separate rules to administrators and Azure Resource Manager. A caller that one rule admits cannot use the paths of the
 * second rule.
 * @throws InvalidCertificate for rules with different CA certificates
 */
export function authorizeBy(rules: { readonly arm: CallerRule; readonly admin: CallerRule }): Authorizer {
  return {
    authorize(request) {
      const admission = (isAdminRequest(request) ? rules.admin : rules.arm).admits(request);
      return admission instanceof Promise
        ? admission.then((each) => identified(request, each))
        : identified(request, admission);
    },
    ready: () => rules.arm.ready() && rules.admin.ready(),
    authorityPems: sharedAuthorities([rules.arm, rules.admin]),
  };
}

/**
 * Adds the certificate's subject to an admission that has no subject yet. Azure Resource Manager and the administrators' tools
 * authenticate with certificates. They may therefore send their user's name in headers.
 */
function identified({ peerCertificates }: AuthorizationRequest, admission: Admission): Admission {
  if (admission === false || typeof admission === "object") return admission;
  const subject = certificateSubject(peerCertificates);
  return subject === undefined ? admission : { rights: admission, subject, vouchesForNames: true };
}

/**
 * True if the path or the API version identifies an admin request. Source: Azure/ARO-RP pkg/frontend/middleware/authenticated.go.
 */
export function isAdminRequest(request: Pick<AuthorizationRequest, "path" | "apiVersion">): boolean {
  return request.path.startsWith("/admin") || request.apiVersion.toLowerCase() === "admin";
}
