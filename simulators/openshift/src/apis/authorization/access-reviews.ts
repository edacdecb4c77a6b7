import {
  type AggregatedResource,
  type Attributes,
  type KubeObject,
  type ResourceCall,
  type StatusCause,
  StatusError,
  type User,
} from "@keelson/apiserver";
import { listAt, stringAt, valueAt } from "@keelson/base";
import type { ApiContext } from "../api-context.ts";
import { failures } from "../failures.ts";

const group = "authorization.openshift.io";
/** Fields of an action that apply only to resource requests, and not to non-resource URLs. */
const resourceFields = [
  "resource",
  "resourceAPIGroup",
  "resourceAPIVersion",
  "resourceName",
  "namespace",
] as const;

/** Review request. `namespace` is the reviewed namespace. An empty string stands for all namespaces. */
interface Asked {
  readonly call: ResourceCall;
  readonly body: KubeObject;
  readonly namespace: string;
}

/**
 * Access reviews of OpenShift. `oc adm policy who-can` creates resource access reviews. Source: openshift/openshift-apiserver
 * `pkg/authorization/apiserver/registry`.
 */
export function accessReviewResources(context: ApiContext): readonly AggregatedResource[] {
  const subjects = (asked: Asked) => reviewSubject(context, asked);
  const holders = (asked: Asked) => reviewResource(context, asked);
  return [
    review("SubjectAccessReview", "SubjectAccessReviewResponse", false, subjects),
    review("LocalSubjectAccessReview", "SubjectAccessReviewResponse", true, subjects),
    review("ResourceAccessReview", "ResourceAccessReviewResponse", false, holders),
    review("LocalResourceAccessReview", "ResourceAccessReviewResponse", true, holders),
  ];
}

function review(
  kind: string,
  responseKind: string,
  namespaced: boolean,
  respond: (asked: Asked) => Promise<object>,
): AggregatedResource {
  return {
    group,
    version: "v1",
    kind,
    plural: `${kind.toLowerCase()}s`,
    namespaced,
    handlers: {
      create: async (call, body): Promise<KubeObject> => {
        const causes = causesOf(body);
        // OpenShift's message omits the kind, so this message omits it too.
        if (causes.length > 0) throw invalid(causes);
        const own = stringAt(body, "namespace") ?? "";
        if (namespaced && own !== "" && own !== call.namespace) {
          throw failures.badRequest(
            `namespace: Invalid value: ${JSON.stringify(own)}: namespace must be: ${call.namespace}`,
          );
        }
        const namespace = namespaced ? (call.namespace ?? "") : own;
        const apiVersion = `${group}/v1`;
        const response = { namespace, ...(await respond({ call, body, namespace })) };
        return { kind: responseKind, apiVersion, metadata: { name: "" }, ...response };
      },
    },
  };
}

async function reviewSubject({ logical }: ApiContext, { call, body, namespace }: Asked): Promise<object> {
  const name = stringAt(body, "user") ?? "";
  const groups = listAt(body, "groups").map(String);
  const personal = name === "" && groups.length === 0;
  if (personal) requireCreate(call, "authorization.k8s.io", "selfsubjectaccessreviews", namespace);
  else requireCreate(call, group, "localsubjectaccessreviews", namespace);
  const user: User = personal ? call.user : { name, groups };
  return { allowed: await logical.allows(user, attributesOf(body, namespace)) };
}

async function reviewResource({ logical }: ApiContext, { call, body, namespace }: Asked): Promise<object> {
  requireCreate(call, group, "localresourceaccessreviews", namespace);
  const { users, groups, missing } = await logical.allowedSubjects(attributesOf(body, namespace));
  const [first = "", ...others] = missing;
  // The field's name is misspelled in OpenShift's API.
  return { users, groups, evalutionError: others.length === 0 ? first : `[${missing.join(", ")}]` };
}

/** Requires the permission to create a review for one namespace. @throws StatusError 403 */
function requireCreate(call: ResourceCall, ofGroup: string, resource: string, namespace: string): void {
  if (call.allows({ verb: "create", group: ofGroup, resource, namespace })) return;
  const where = namespace === "" ? "at the cluster scope" : `in the namespace "${namespace}"`;
  const why = `User "${call.user.name}" cannot create resource "${resource}" in API group "${ofGroup}" ${where}`;
  throw failures.forbidden({ group: ofGroup, resource }, "", why);
}

function attributesOf(body: KubeObject, namespace: string): Attributes {
  const text = (name: string) => stringAt(body, name) ?? "";
  if (isPath(body)) return { kind: "path", verb: text("verb"), path: text("path") };
  return {
    kind: "resource",
    verb: text("verb"),
    group: text("resourceAPIGroup"),
    resource: text("resource"),
    namespace,
    name: text("resourceName"),
  };
}

function isPath(body: KubeObject): boolean {
  return valueAt(body, "isNonResourceURL") === true;
}

function causesOf(body: KubeObject): readonly StatusCause[] {
  const required = (field: string): StatusCause => ({
    reason: "FieldValueRequired",
    message: "Required value",
    field,
  });
  const missing = (field: string) => ((stringAt(body, field) ?? "") === "" ? [required(field)] : []);
  if (!isPath(body)) return [...missing("verb"), ...missing("resource")];
  const unexpected = resourceFields
    .filter((field) => (stringAt(body, field) ?? "") !== "")
    .map((field): StatusCause => {
      const name = { resourceAPIGroup: "group", resourceAPIVersion: "version" }[String(field)] ?? field;
      const why = `${name} may not be specified with non resource URLs`;
      return {
        reason: "FieldValueInvalid",
        message: `Invalid value: ${JSON.stringify(stringAt(body, field))}: ${why}`,
        field: name,
      };
    });
  return [...missing("verb"), ...missing("path"), ...unexpected];
}

function invalid(causes: readonly StatusCause[]): StatusError {
  const listed = causes.map(({ field, message }) => `${field}: ${message}`);
  const why = listed.length === 1 ? listed[0] : `[${listed.join(", ")}]`;
  return new StatusError(422, "Invalid", `.${group} "" is invalid: ${why}`, { group, causes });
}
