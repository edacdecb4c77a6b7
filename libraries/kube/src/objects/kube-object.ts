import { isPlainObject } from "@keelson/base";

/** Metadata of every object (Kubernetes API conventions, "Metadata"). Times are RFC 3339 in full seconds. */
export interface ObjectMeta {
  readonly name: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  readonly ownerReferences?: readonly OwnerReference[];
}

export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

/** Object of any kind, as JSON. */
export interface KubeObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
  readonly [member: string]: unknown;
}

/** Identifies an object within its resource. `namespace` is undefined for cluster-scoped resources. */
export interface ObjectKey {
  readonly namespace?: string;
  readonly name: string;
}

/** Matches names that every Kubernetes API server rejects, because they are too long or contain control characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused.
const notAName = /[\x00-\x1f\x7f-\x9f]|^$|^.{513}/s;

/** True for JSON with the required fields of every object: `apiVersion`, `kind` and `metadata` with a name. */
export function isKubeObject(value: unknown): value is KubeObject {
  return (
    isPlainObject(value) &&
    typeof value.apiVersion === "string" &&
    typeof value.kind === "string" &&
    isPlainObject(value.metadata) &&
    typeof value.metadata.name === "string" &&
    !notAName.test(value.metadata.name)
  );
}
