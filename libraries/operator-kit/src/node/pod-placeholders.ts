import { isPlainObject } from "@keelson/base";
import { parse } from "yaml";

export interface PlaceholderValues {
  readonly revision: number;
  readonly node: string;
}

/**
 * Parses a Pod manifest and replaces the placeholders in its strings. Placeholders are `REVISION` and `NODE_NAME`, and
 * `NODE_ENVVAR_NAME` as part of a variable name. Does not change references such as `$(NODE_NAME)` and environment variables with
 * the name `NODE_NAME`.
 * @throws Error for a manifest that is not a Pod
 */
export function podWithValues(text: string, values: PlaceholderValues): Readonly<Record<string, unknown>> {
  let manifest: unknown;
  try {
    manifest = parse(text, { maxAliasCount: 100 });
  } catch (cause) {
    throw new Error("the manifest is no YAML", { cause });
  }
  if (!isPlainObject(manifest) || manifest.kind !== "Pod") throw new Error("the manifest is no Pod");
  const filled = fill(manifest, values, false);
  if (!isPlainObject(filled)) throw new Error("the manifest is no Pod");
  return filled;
}

const placeholder = /(?<!\$[({])(NODE_ENVVAR_NAME|\bREVISION\b|\bNODE_NAME\b)/g;

function fill(value: unknown, values: PlaceholderValues, isVariable: boolean): unknown {
  if (typeof value === "string") return value.replace(placeholder, (name) => valueFor(name, values));
  if (Array.isArray(value)) return value.map((each) => fill(each, values, isVariable));
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([member, each]) => [
      member,
      isVariable && member === "name" && each === "NODE_NAME" ? each : fill(each, values, member === "env"),
    ]),
  );
}

function valueFor(name: string, { node, revision }: PlaceholderValues): string {
  if (name === "REVISION") return String(revision);
  return name === "NODE_NAME" ? node : node.replaceAll(/[-.]/g, "_");
}
