import { fieldError, sortedMembers } from "@keelson/apimachinery";
import { isPlainObject } from "@keelson/base";
import { allTypes, decodeToType } from "@keelson/kinds";
import { type StructuralSchema, withDefaults, withMembers } from "@keelson/schema";

export interface FittedEmbedded {
  readonly value: unknown;
  /** Fields that were removed from embedded metadata, because ObjectMeta does not have them. */
  readonly unknownFields: readonly string[];
  /** Fields with a value of the wrong type. */
  readonly mismatches: readonly { readonly path: string; readonly message: string }[];
}

/**
 * Decodes `apiVersion`, `kind` and `metadata` of embedded objects in a custom resource (`x-kubernetes-embedded-resource`). If
 * nothing changes, the result contains `value` itself.
 */
export function decodeEmbedded(schema: StructuralSchema, value: unknown): FittedEmbedded {
  const unknownFields: string[] = [];
  const mismatches: { path: string; message: string }[] = [];

  const mismatch = (field: string, found: unknown, why: string): undefined => {
    const path = field.slice(1);
    mismatches.push({
      path,
      message: `${path}: ${fieldError.invalid(path, sortedMembers(found), why).message}`,
    });
  };

  const metadataOf = (metadata: unknown, path: string): unknown => {
    const type = allTypes().get("meta.v1.ObjectMeta");
    if (!type) return metadata;
    if (metadata === null) return {};
    if (!isPlainObject(metadata)) {
      const found = Array.isArray(metadata)
        ? "array"
        : typeof metadata === "boolean"
          ? "bool"
          : typeof metadata;
      return mismatch(path, metadata, `json: cannot unmarshal ${found} into Go value of type v1.ObjectMeta`);
    }
    const fit = decodeToType(type, metadata);
    unknownFields.push(...fit.unknownFields.map((each) => `${path.slice(1)}.${each}`));
    const [wrong] = fit.mismatches;
    return wrong ? mismatch(path, metadata, wrong.message) : fit.value;
  };

  const fit = (own: StructuralSchema | undefined, each: unknown, path: string): unknown => {
    if (!own?.has.embeddedResources) return each;
    if (Array.isArray(each)) return each.map((item, at) => fit(own.items, item, `${path}[${at}]`));
    if (!isPlainObject(each)) return each;
    const { properties, additionalProperties: additional } = own;
    const changed = new Map<string, unknown>();
    for (const [name, member] of Object.entries(each)) {
      const known = properties.get(name);
      const others = additional === "any" ? undefined : additional;
      changed.set(
        name,
        known ? fit(known, member, `${path}.${name}`) : fit(others, member, `${path}[${name}]`),
      );
    }
    if (own.embeddedResource) {
      for (const name of ["apiVersion", "kind"]) {
        const text = each[name];
        if (text !== undefined && typeof text !== "string")
          mismatch(`${path}.${name}`, text, "must be a string");
      }
      if (Object.hasOwn(each, "metadata"))
        changed.set("metadata", metadataOf(each.metadata, `${path}.metadata`));
    }
    return withMembers(each, changed);
  };

  return { value: fit(schema, value, ""), unknownFields: unknownFields.toSorted(), mismatches };
}

/** Returns the value with its defaults. Removes unknown metadata fields from the defaults. */
export function withDecodedDefaults(schema: StructuralSchema, value: unknown, keepsNulls = false): unknown {
  const whole = withDefaults(schema, value, keepsNulls);
  return whole !== value && schema.has.embeddedResources ? decodeEmbedded(schema, whole).value : whole;
}
