import { fromJson, type Result } from "../cel/index.ts";
import type { AdmissionRequest } from "../registry/admission.ts";
import type { ServedResource } from "../registry/served-resource.ts";
import type { AdmissionContext } from "./admission-context.ts";
import { requestFacts } from "./admission-review.ts";
import { authorizerValue } from "./authorizer-library.ts";

export type RequestVariables = Readonly<Record<"object" | "oldObject" | "request" | "authorizer", Result>>;

/** The variables of a request, its objects in the version of `resource`. */
export function requestBindings(
  context: AdmissionContext,
  request: AdmissionRequest,
  resource: ServedResource,
): RequestVariables {
  const { object, oldObject, ...facts } = requestFacts(request, resource);
  return {
    object: fromJson(object),
    oldObject: fromJson(oldObject),
    request: fromJson(facts),
    authorizer: authorizerOf(context, request, resource),
  };
}

/** What expressions ask about what the user of a request may do. */
export function authorizerOf(
  { authorizer }: AdmissionContext,
  { subresource, namespace = "", name, user }: AdmissionRequest,
  { type: { group, plural } }: ServedResource,
): Result {
  return authorizerValue(authorizer, user, { group, resource: plural, subresource, namespace, name });
}
