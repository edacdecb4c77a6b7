import { isPlainObject, stringAt, stringsAt, tryParseJson } from "@keelson/base";
import type { JsonPatchStep, KubeObject } from "@keelson/kube";

/** Fields of an AdmissionReview `request` (admission.k8s.io/v1) that webhooks use. */
export interface AdmissionRequest {
  readonly uid: string;
  readonly operation: "CREATE" | "UPDATE" | "DELETE" | "CONNECT";
  readonly name: string;
  readonly namespace: string;
  readonly subResource: string;
  readonly dryRun: boolean;
  readonly user: { readonly name: string; readonly groups: readonly string[] };
  /** Object after the request. Undefined for a deletion. */
  readonly object: KubeObject | undefined;
  /** Object before the request. Undefined for a creation. */
  readonly oldObject: KubeObject | undefined;
}

export type AdmissionResponse =
  | {
      readonly allowed: true;
      readonly warnings?: readonly string[];
      readonly patch?: readonly JsonPatchStep[];
    }
  /** Rejection. The client receives the message and the code. Default: 403. */
  | { readonly allowed: false; readonly message: string; readonly code?: number; readonly reason?: string };

const operations = ["CREATE", "UPDATE", "DELETE", "CONNECT"] as const;

/** Returns the request of an AdmissionReview body. Undefined for any other body. */
export function parseReview(body: string): AdmissionRequest | undefined {
  const review = tryParseJson(body);
  if (
    !isPlainObject(review) ||
    review.apiVersion !== "admission.k8s.io/v1" ||
    review.kind !== "AdmissionReview"
  )
    return undefined;
  const { request } = review;
  if (!isPlainObject(request) || typeof request.uid !== "string" || request.uid === "") return undefined;
  const operation = operations.find((each) => each === request.operation);
  if (!operation) return undefined;
  return {
    uid: request.uid,
    operation,
    name: stringAt(request, "name") ?? "",
    namespace: stringAt(request, "namespace") ?? "",
    subResource: stringAt(request, "subResource") ?? "",
    dryRun: request.dryRun === true,
    user: {
      name: stringAt(request, "userInfo", "username") ?? "",
      groups: stringsAt(request, "userInfo", "groups"),
    },
    object: objectOf(request.object),
    oldObject: objectOf(request.oldObject),
  };
}

/** Returns the response body of a review. */
export function reviewOf(uid: string, answer: AdmissionResponse): string {
  const response = answer.allowed
    ? {
        uid,
        allowed: true,
        ...(answer.warnings ? { warnings: answer.warnings } : {}),
        ...(answer.patch
          ? { patchType: "JSONPatch", patch: Buffer.from(JSON.stringify(answer.patch)).toString("base64") }
          : {}),
      }
    : {
        uid,
        allowed: false,
        status: {
          code: answer.code ?? 403,
          message: answer.message,
          ...(answer.reason ? { reason: answer.reason } : {}),
        },
      };
  return JSON.stringify({ apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", response });
}

/**
 * Returns the value if it is a Kubernetes object, and undefined otherwise. A new object may lack a name, because the server
 * generates the name from `generateName`.
 */
function objectOf(value: unknown): KubeObject | undefined {
  const isObject = isPlainObject(value) && typeof value.kind === "string" && isPlainObject(value.metadata);
  return isObject ? (value as unknown as KubeObject) : undefined;
}
