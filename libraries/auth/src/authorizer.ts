import type { Admission } from "./callers/admin-role.ts";
import type { AuthorizationRequest } from "./callers/authorization-request.ts";
import { type CallerRule, sharedAuthorities } from "./callers/caller-rule.ts";
import { certificateSubject } from "./certificates/certificate-subject.ts";

/**
 * Decides whether a caller is allowed. There is no authorization per customer, because Azure Resource Manager
 * does it. Administrators have roles.
 */
export interface Authorizer {
  authorize(request: AuthorizationRequest): Admission | Promise<Admission>;
  /** False while it cannot decide yet; the frontend is not ready then. */
  ready(): boolean;
  /** CA certificates (PEM) with which TLS verifies callers. Default: none. */
  readonly authorityPems?: readonly string[];
}

/** Admits every caller, as a service on a developer's machine does. */
export function acceptAll(): Authorizer {
  return { authorize: () => true, ready: () => true };
}

/**
 * Applies separate rules to administrators and Azure Resource Manager. A caller admitted by one rule has no
 * access to the other rule's paths.
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
 * Adds the subject of the certificate that a rule has accepted. Azure Resource Manager and the tools of administrators use
 * certificates, and name the person in headers.
 */
function identified({ peerCertificates }: AuthorizationRequest, admission: Admission): Admission {
  if (admission === false || typeof admission === "object") return admission;
  const subject = certificateSubject(peerCertificates);
  return subject === undefined ? admission : { rights: admission, subject, vouchesForNames: true };
}

/**
 * True if the path or the API version makes a request an admin request. Source: Azure/ARO-RP
 * pkg/frontend/middleware/authenticated.go.
 */
export function isAdminRequest(request: Pick<AuthorizationRequest, "path" | "apiVersion">): boolean {
  return request.path.startsWith("/admin") || request.apiVersion.toLowerCase() === "admin";
}
