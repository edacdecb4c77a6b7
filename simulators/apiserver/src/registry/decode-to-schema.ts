import { failures, fieldError, type KubeObject } from "@keelson/apimachinery";
import { objectAt } from "@keelson/base";
import { allTypes, type DecodeResult, decodeToType, typeOf } from "@keelson/kinds";
import { type CustomVersion, prune } from "@keelson/schema";
import type { WriteOptions } from "../resources/registry-context.ts";
import type { ServedResource } from "../resources/served-resource.ts";
import { decodeEmbedded, withDecodedDefaults } from "./decode-embedded.ts";

/**
 * Decodes an object with its kind's schema. Unknown fields are removed, and custom resources get their defaults. If `isApplied`
 * is true, the object is the merged result of an apply. A custom resource then keeps null values for validation.
 * @throws StatusError 400 for values of a wrong type, and for unknown fields with `fieldValidation: Strict`
 */
export function decodeToSchema(
  resource: ServedResource,
  object: KubeObject,
  options: WriteOptions,
  isApplied = false,
): KubeObject {
  const fit = resource.custom
    ? decodeCustom(resource.custom, object, isApplied)
    : decodeToKind(resource, object);
  if (!fit) return object;
  const { apiVersion, kind } = object;
  const handled = `${kind} in version ${JSON.stringify(resource.type.version)} cannot be handled as a ${kind}`;
  const [mismatch] = fit.mismatches;
  if (mismatch && options.strategicPatch !== undefined) {
    const why = conversionFailure(mismatch);
    throw failures.invalid({ group: "", kind: "" }, "", [
      fieldError.invalid("patch", options.strategicPatch, why),
    ]);
  }
  if (mismatch) throw failures.badRequest(`${handled}: ${mismatch.message}`);
  const { fieldValidation = "Warn", warn, strictErrors = [] } = options;
  const unfit = fit.unknownFields.map((path) => `unknown field "${path}"`);
  const unknown = [
    ...unfit,
    ...strictErrors.filter((text) => !unfit.includes(text.replace("duplicate", "unknown"))),
  ];
  if (unknown.length > 0 && fieldValidation === "Strict") {
    throw failures.badRequest(`${handled}: strict decoding error: ${unknown.join(", ")}`);
  }
  if (fieldValidation === "Warn") for (const text of unknown) warn?.(text);
  const metadata = { ...objectAt(fit.value, "metadata"), name: object.metadata.name };
  return { ...fit.value, apiVersion, kind, metadata };
}

/** Decoded object, its unknown fields and its type errors. */
type Decoded = Pick<DecodeResult, "value" | "unknownFields"> & {
  readonly mismatches: readonly WrongValue[];
};

/** Value of a wrong type, with its JSON type and the expected type. */
interface WrongValue {
  readonly message: string;
  readonly found?: string;
  readonly wanted?: string;
}

const goKinds: Readonly<Record<string, string>> = {
  boolean: "bool",
  number: "int64",
  object: "map",
  array: "slice",
};
const containers: Readonly<Record<string, string>> = {
  object: "struct from:",
  map: "map from",
  list: "slice from",
};

/** Returns the message of kubernetes apimachinery pkg/runtime/converter.go. */
function conversionFailure({ message, found = "", wanted = "" }: WrongValue): string {
  const value = goKinds[found] ?? found;
  const container = containers[wanted];
  if (container !== undefined) return `cannot restore ${container} ${value}`;
  if (!["string", "boolean", "int32", "int64", "number"].includes(wanted)) return message;
  const kind = wanted === "number" ? "float64" : (goKinds[wanted] ?? wanted);
  return value === "int64" && kind === "string"
    ? `cannot convert ${value} to ${kind}`
    : `unrecognized type: ${kind}`;
}

function decodeToKind({ type }: ServedResource, object: KubeObject): Decoded | undefined {
  const schema = typeOf(type);
  return schema && decodeToType(schema, object);
}

/** Prunes a custom resource with its schema. The metadata is decoded as ObjectMeta. */
function decodeCustom({ schema }: CustomVersion, object: KubeObject, isApplied: boolean): Decoded {
  const { value, removed } = prune(schema, object);
  const embedded = decodeEmbedded(schema, value);
  const objectMeta = allTypes().get("meta.v1.ObjectMeta");
  const whole = objectAt(withDecodedDefaults(schema, embedded.value, isApplied));
  const unknownBelow = [...embedded.unknownFields, ...removed];
  if (!objectMeta) return { value: whole, unknownFields: unknownBelow, mismatches: embedded.mismatches };
  const metadata = decodeToType(objectMeta, { ...object.metadata });
  return {
    value: { ...whole, metadata: metadata.value },
    unknownFields: [...metadata.unknownFields.map((path) => `metadata.${path}`), ...unknownBelow],
    mismatches: [...metadata.mismatches, ...embedded.mismatches],
  };
}
