import { isPlainObject } from "@keelson/base";
import type { KubeObject, ObjectKey } from "./kube-object.ts";

/** Object in which some fields must be absent. These fields have the value `null`. */
export interface ObjectWithAbsent {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectKey;
  readonly [member: string]: unknown;
}

/** Returns the configuration to apply for a wanted object. Fields that must be absent are omitted. */
export function appliedConfiguration(object: ObjectWithAbsent): KubeObject {
  // The cast is safe, because the metadata is required and therefore never removed.
  return withoutAbsent(object) as KubeObject;
}

function withoutAbsent(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutAbsent);
  if (!isPlainObject(value)) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null && member !== undefined);
  return Object.fromEntries(members.map(([name, member]) => [name, withoutAbsent(member)]));
}
