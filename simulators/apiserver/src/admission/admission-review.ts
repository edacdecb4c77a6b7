import { randomUUID } from "node:crypto";
import {
  type KubeObject,
  parseJson,
  type Status,
  StatusError,
  scalarStringAt,
  subresourceOf,
} from "@keelson/apimachinery";
import { listAt, objectAt, stringsAt, valueAt } from "@keelson/base";
import { userInfo } from "../auth/user.ts";
import type { AdmissionRequest } from "../resources/admission-request.ts";
import { apiVersionOf, type ServedResource } from "../resources/served-resource.ts";
import { namespaceNameOf } from "./configuration/selectors.ts";
import type { Webhook } from "./configuration/webhook.ts";
import { shownObject } from "./object-version.ts";

/** Response of a webhook (admission.k8s.io/v1 AdmissionResponse). */
export interface ReviewResponse {
  readonly allowed: boolean;
  readonly status: unknown;
  /** JSON patch. Undefined if the webhook does not change the object. */
  readonly patch: unknown;
  readonly warnings: readonly string[];
  readonly auditAnnotations: Readonly<Record<string, unknown>>;
}

const optionKinds = { CREATE: "CreateOptions", UPDATE: "UpdateOptions", DELETE: "DeleteOptions" } as const;

/** Returns the request attributes for webhooks and policies. Objects are converted to the version of `resource`. */
export function requestFacts(
  request: AdmissionRequest,
  resource: ServedResource,
): Readonly<Record<string, unknown>> & { readonly uid: string } {
  const { operation, user, subresource } = request;
  const object = (value: AdmissionRequest["object"]) =>
    value ? withoutMetadata(operation, shownObject(resource, request, value)) : null;
  const namespace = namespaceNameOf(request);
  return {
    uid: randomUUID(),
    kind: kindOf(resource, subresource),
    resource: resourceOf(resource),
    ...(subresource ? { subResource: subresource } : {}),
    requestKind: kindOf(request.resource, subresource),
    requestResource: resourceOf(request.resource),
    ...(subresource ? { requestSubResource: subresource } : {}),
    ...(request.name ? { name: request.name } : {}),
    ...(namespace ? { namespace } : {}),
    operation,
    userInfo: userInfo(user),
    object: object(request.object),
    oldObject: object(request.oldObject),
    dryRun: request.dryRun,
    options:
      operation === "CONNECT"
        ? null
        : { kind: optionKinds[operation], apiVersion: "meta.k8s.io/v1", ...request.options },
  };
}

/**
 * Removes the metadata from the object of a CONNECT request. This object is an options object, and options objects have no
 * metadata.
 */
function withoutMetadata(operation: AdmissionRequest["operation"], object: KubeObject): object {
  if (operation !== "CONNECT") return object;
  const { metadata: _, ...options } = object;
  return options;
}

function kindOf({ type }: ServedResource, subresource: string) {
  const { group, version, kind } = type;
  return subresource ? { group, version, ...factsOf(type, subresource) } : { group, version, kind };
}

/** Returns the kind and resource of a request for a subresource. */
function factsOf(type: ServedResource["type"], subresource: string) {
  const { verbs: _verbs, connects: _connects, ...facts } = subresourceOf(type, subresource);
  return facts;
}

function resourceOf({ type: { group, version, plural } }: ServedResource) {
  return { group, version, resource: plural };
}

/**
 * Parses the webhook's response to the review `uid`. `patches` is true for mutating webhooks, which may change objects.
 * @throws Error if the response is invalid
 */
export function parseReview(
  answer: unknown,
  uid: string,
  apiVersion: string,
  patches: boolean,
): ReviewResponse {
  if (
    scalarStringAt(answer, "apiVersion") !== apiVersion ||
    scalarStringAt(answer, "kind") !== "AdmissionReview"
  ) {
    const found = `${scalarStringAt(answer, "apiVersion")}, Kind=${scalarStringAt(answer, "kind")}`;
    throw new Error(`expected webhook response of ${apiVersion}, Kind=AdmissionReview, got ${found}`);
  }
  const response = valueAt(answer, "response");
  if (response === undefined) throw new Error("webhook response was absent");
  const found = scalarStringAt(response, "uid");
  if (found !== uid) throw new Error(`expected response.uid="${uid}", got "${found}"`);
  return {
    allowed: valueAt(response, "allowed") === true,
    status: valueAt(response, "status"),
    patch: patches ? patchOf(response) : undefined,
    warnings: stringsAt(response, "warnings"),
    auditAnnotations: objectAt(response, "auditAnnotations"),
  };
}

function patchOf(response: unknown): unknown {
  const encoded = scalarStringAt(response, "patch");
  const type = scalarStringAt(response, "patchType");
  if (!encoded) {
    if (type) throw new Error("webhook returned response.patchType but not response.patch");
    return undefined;
  }
  if (!type) throw new Error("webhook returned response.patch but not response.patchType");
  if (type !== "JSONPatch") throw new Error(`webhook returned invalid response.patchType of "${type}"`);
  return parseJson(Buffer.from(encoded, "base64").toString());
}

/** Returns the error for a request that a webhook denied. The error includes the status of the webhook's response. */
export function denial({ name }: Webhook, status: unknown): StatusError {
  const denied = `admission webhook "${name}" denied the request`;
  const said = scalarStringAt(status, "message") || scalarStringAt(status, "reason");
  const code = Number(scalarStringAt(status, "code") || 0);
  const details: NonNullable<Status["details"]> = objectAt(status, "details");
  return new StatusError(
    code < 400 || code > 599 ? 400 : code,
    scalarStringAt(status, "reason"),
    said ? `${denied}: ${said}` : `${denied} without explanation`,
    valueAt(status, "details") === undefined ? undefined : { ...details, causes: causesOf(status) },
  );
}

function causesOf(status: unknown) {
  return listAt(status, "details", "causes").map((each) => ({
    reason: scalarStringAt(each, "reason"),
    message: scalarStringAt(each, "message"),
    ...(scalarStringAt(each, "field") ? { field: scalarStringAt(each, "field") } : {}),
  }));
}

/** Returns the body of the review request to a webhook. */
export function reviewOf(
  webhook: Webhook,
  facts: object,
): { readonly apiVersion: string; readonly body: object } {
  const version = webhook.reviewVersions.find((each) => each === "v1" || each === "v1beta1") ?? "v1";
  const apiVersion = apiVersionOf({ group: "admission.k8s.io", version });
  return { apiVersion, body: { kind: "AdmissionReview", apiVersion, request: facts } };
}
