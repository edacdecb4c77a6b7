import { fieldError, type StatusCause } from "@keelson/apimachinery";
import { isPlainObject } from "@keelson/base";
import { pathSegmentName } from "@keelson/kinds";
import { dns1035Label } from "./dns-names.ts";
import { validateMetadata } from "./metadata-rules.ts";
import type { StructuralSchema } from "./structural-schema.ts";

/** Returns the validation errors of `apiVersion`, `kind` and `metadata` in embedded objects. */
export function validateEmbedded(
  schema: StructuralSchema,
  value: unknown,
  path = "",
): readonly StatusCause[] {
  if (!schema.has.embeddedResources) return [];
  if (Array.isArray(value)) {
    const { items } = schema;
    return items ? value.flatMap((each, at) => validateEmbedded(items, each, `${path}[${at}]`)) : [];
  }
  if (!isPlainObject(value)) return [];
  const { properties, additionalProperties } = schema;
  return [
    ...(schema.embeddedResource ? validateTypeAndMetadata(value, path) : []),
    ...Object.keys(value).flatMap((name) => {
      const known = properties.get(name);
      if (known) return validateEmbedded(known, value[name], path ? `${path}.${name}` : name);
      if (!additionalProperties || additionalProperties === "any") return [];
      return validateEmbedded(additionalProperties, value[name], `${path}[${name}]`);
    }),
  ];
}

function validateTypeAndMetadata(
  value: Readonly<Record<string, unknown>>,
  path: string,
): readonly StatusCause[] {
  const causes: StatusCause[] = [];
  for (const name of ["apiVersion", "kind"]) {
    const field = `${path}.${name}`;
    const text = value[name];
    if (!Object.hasOwn(value, name)) causes.push(fieldError.required(field));
    else if (typeof text !== "string") causes.push(fieldError.invalid(field, text, "must be a string"));
    else if (text === "") causes.push(fieldError.invalid(field, text, "must not be empty"));
    else if (name === "apiVersion" && text.split("/").length > 2) {
      causes.push(fieldError.invalid(field, text, `unexpected GroupVersion string: ${text}`));
    } else if (name === "kind") {
      const why = dns1035Label(text.toLowerCase());
      if (why) {
        causes.push(
          fieldError.invalid(field, text, `may have mixed case, but should otherwise match: ${why}`),
        );
      }
    }
  }
  const { metadata } = value;
  if (!isPlainObject(metadata)) return causes;
  const named = {
    ...metadata,
    name: metadata.name === undefined || metadata.name === "" ? "fakename" : metadata.name,
  };
  const found = validateMetadata(named, pathSegmentName);
  return [...causes, ...found.map((each) => ({ ...each, field: `${path}.${each.field ?? "metadata"}` }))];
}
