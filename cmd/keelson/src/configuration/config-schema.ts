import { gatewayConfigSchema, serviceConfigJsonSchema } from "@keelson/env";
import { programInstallerKinds } from "./installer-kinds.ts";

/** Fields that roles other than the resource provider do not need. */
const providerFields = ["tls", "callers", "skipTokenKey", "installer"];

/** Returns the JSON Schema of a role's configuration file. Fields with a default are optional. */
export function configSchema(role: string): object {
  const schema = role === "gateway" ? gatewayConfigSchema : serviceConfigJsonSchema(programInstallerKinds);
  const optional = role === "rp" || role === "gateway" ? [] : providerFields;
  const $schema = "https://json-schema.org/draft/2020-12/schema";
  return { $schema, title: `keelson ${role}`, ...Object(forEditors(schema, optional)) };
}

/**
 * Marks fields with a default as optional. The internal schema requires these fields, because it is applied after the defaults.
 */
function forEditors(schema: unknown, optional: readonly string[] = []): unknown {
  if (Array.isArray(schema)) return schema.map((each) => forEditors(each));
  if (typeof schema !== "object" || schema === null) return schema;
  const { required, ...others } = Object(schema);
  const properties = Object(others.properties);
  const needed = Array.isArray(required)
    ? required.filter((name) => Object(properties[name]).default === undefined && !optional.includes(name))
    : [];
  const converted = Object.fromEntries(
    Object.entries(others).map(([name, each]) => [name, forEditors(each)]),
  );
  return needed.length === 0 ? converted : { ...converted, required: needed };
}
