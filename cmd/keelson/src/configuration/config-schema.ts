import { gatewayConfigSchema, serviceConfigJsonSchema } from "@keelson/env";
import { programInstallerKinds } from "./installer-kinds.ts";

/** Fields that roles other than the resource provider do not need. */
const providerFields = ["tls", "callers", "skipTokenKey", "installer"];

/** JSON Schema of the configuration that a command reads. Fields with a default are not required. */
export function configSchema(role: string): object {
  const schema = role === "gateway" ? gatewayConfigSchema : serviceConfigJsonSchema(programInstallerKinds);
  const optional = role === "rp" || role === "gateway" ? [] : providerFields;
  const $schema = "https://json-schema.org/draft/2020-12/schema";
  return { $schema, title: `keelson ${role}`, ...Object(forEditors(schema, optional)) };
}

/** A configuration is checked with its defaults, so that its schema requires fields that have one. */
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
