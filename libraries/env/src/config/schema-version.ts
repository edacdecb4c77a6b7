import { findUnknownFields, isPlainObject } from "@keelson/base";
import { Type } from "typebox";
import { allErrors } from "../files/all-errors.ts";

/**
 * Schema version of the configuration files that this release reads. A release that adds a field increases the version. After a
 * rollback, an earlier release then ignores this field.
 */
export const configSchemaVersion = 1;

export const schemaVersionSchema = Type.Optional(
  Type.Integer({
    minimum: 1,
    reread: true,
    description:
      "schema version of this file. If it is newer than the version of the process, unknown fields are ignored with a warning, except below `callers`, `portal.signIn` and `encryption`. Without it, unknown fields are errors",
  }),
);

/** Sections that decide about access and secrets. An ignored field there could grant access. */
const strictSections = ["/callers", "/portal/signIn", "/encryption"];

/** Configuration without ignored fields. */
export interface SupportedFields {
  readonly value: unknown;
  /** Description of each ignored field. */
  readonly warnings: readonly string[];
}

/** Removes unknown fields from `value` if it declares a newer schema version. Other configurations are returned unchanged. */
export function withoutNewerFields(schema: object, value: unknown): SupportedFields {
  const declared: unknown = Object(value).schemaVersion;
  if (!Number.isInteger(declared) || Number(declared) <= configSchemaVersion) return { value, warnings: [] };
  const supported = structuredClone(value);
  const ignored = findUnknownFields(schema, value, allErrors).filter(
    ({ parent }) => !strictSections.some((each) => parent === each || parent.startsWith(`${each}/`)),
  );
  for (const { parent, name } of ignored) remove(supported, parent, name);
  const warnings = ignored.map(
    ({ parent, name }) =>
      `${parent}/${name} is unknown and ignored: the file declares schema version ${declared}, this release reads version ${configSchemaVersion}`,
  );
  return { value: supported, warnings };
}

function remove(root: unknown, parent: string, name: string): void {
  const parts = parent.split("/").slice(1);
  const names = parts.map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
  const object = names.reduce<unknown>((each, part) => Reflect.get(Object(each), part), root);
  if (isPlainObject(object)) Reflect.deleteProperty(object, name);
}
