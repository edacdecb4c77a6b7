import type { Admission } from "./callers/admin-role.ts";
import type { AuthorizationRequest } from "./callers/authorization-request.ts";
import { type CallerRule, sharedAuthorities } from "./callers/caller-rule.ts";
import { certificateSubject } from "./certificates/certificate-subject.ts";

/** Decides who may call. There is no authorization per customer: Azure Resource Manager has done that. Administrators have roles. */
export interface Authorizer {
  authorize(request: AuthorizationRequest): Admission | Promise<Admission>;
  /** False while it cannot decide yet; the frontend is not ready then. */
  ready(): boolean;
  /** The authorities (PEM) against which TLS verifies callers' certificates; none when absent. */
  readonly authorityPems?: readonly string[];
}

/** Admits every caller, as a service on a developer's machine does. */
export function acceptAll(): Authorizer {
  return { authorize: () => true, ready: () => true };
}

/**
 * Administrators and Azure Resource Manager each by their own rule; neither is admitted to the other's paths.
 * @throws InvalidCertificate for rules with different authorities
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

/** Path or API version makes a request an admin request. Source: Azure/ARO-RP pkg/frontend/middleware/authenticated.go. */
export function isAdminRequest(request: Pick<AuthorizationRequest, "path" | "apiVersion">): boolean {
  return request.path.startsWith("/admin") || request.apiVersion.toLowerCase() === "admin";
}
