import { fromJson, type Result } from "@keelson/cel";
import type { AdmissionRequest } from "../resources/admission-request.ts";
import type { ServedResource } from "../resources/served-resource.ts";
import type { AdmissionContext } from "./admission-context.ts";
import { requestFacts } from "./admission-review.ts";
import { authorizerValue } from "./configuration/authorizer-library.ts";
import type { RequestVariables } from "./configuration/policy-expressions.ts";

/** Returns the variables of a request. Objects are converted to the version of `resource`. */
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

/** Returns the CEL variable `authorizer` for the requesting user. */
export function authorizerOf(
  { authorizer }: AdmissionContext,
  { subresource, namespace = "", name, user }: AdmissionRequest,
  { type: { group, plural } }: ServedResource,
): Result {
  return authorizerValue(authorizer, user, { group, resource: plural, subresource, namespace, name });
}
