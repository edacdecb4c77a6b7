import {
  differenceInPhases,
  emptySet,
  type FieldSet,
  type KubeObject,
  type Phases,
} from "@keelson/apimachinery";
import { exactJson, isPlainObject, parseExactJson } from "@keelson/base";
import { compareInPhases } from "./compare.ts";
import type { FieldSchema } from "./field-schema.ts";
import { namedFields } from "./fields-of.ts";

/** Field manager of `kubectl apply --server-side`. This manager also owns the annotation of client-side apply. */
export const kubectl = "kubectl";
const annotation = "kubectl.kubernetes.io/last-applied-configuration";

/** Returns the fields that client-side apply has set and that are unchanged since then. */
export function* allowedByLastApplied(schema: FieldSchema, live: KubeObject): Phases<FieldSet> {
  const last = parse(live.metadata.annotations?.[annotation]);
  if (!isPlainObject(last)) return emptySet;
  const { added, modified, removed } = yield* compareInPhases(schema, last, live);
  let allowed = yield* namedFields(schema, last);
  for (const each of [added, modified, removed]) allowed = yield* differenceInPhases(allowed, each);
  return allowed;
}

/** Updates the annotation of client-side apply, if the object has the annotation and kubectl is the applier. */
export function withLastApplied(
  object: KubeObject,
  live: KubeObject | undefined,
  applied: KubeObject,
  manager: string,
): KubeObject {
  if (manager !== kubectl || live?.metadata.annotations?.[annotation] === undefined) return object;
  const { [annotation]: _, ...annotations } = applied.metadata.annotations ?? {};
  const last = { ...applied, metadata: { ...applied.metadata, annotations } };
  const { metadata } = object;
  return {
    ...object,
    metadata: {
      ...metadata,
      annotations: { ...metadata.annotations, [annotation]: `${exactJson(last)}\n` },
    },
  };
}

function parse(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : parseExactJson(text);
  } catch {
    return undefined;
  }
}
