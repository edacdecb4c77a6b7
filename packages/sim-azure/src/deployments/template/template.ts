import type { JsonObject, JsonValue } from "@keelson/base";
import { isJsonObject, members, textAt } from "../../json.ts";
import { invalidTemplate } from "../template-error.ts";

/** A template that has what each template must have. */
export interface Template {
  readonly source: JsonObject;
  readonly parameters: JsonObject;
  readonly variables: JsonObject;
  readonly functions: JsonValue | undefined;
  /** By symbolic names, or in an array. */
  readonly resources: JsonObject | readonly JsonValue[];
  readonly outputs: JsonObject;
  /** Types that parameters and outputs name by `$ref`. */
  readonly definitions: JsonObject;
}

/** @throws ArmError 400 InvalidTemplate */
export function readTemplate(source: JsonValue | undefined): Template {
  if (!isJsonObject(source)) throw invalidTemplate("The template must be a JSON object");
  for (const name of ["$schema", "contentVersion", "resources"]) {
    if (source[name] === undefined) throw invalidTemplate(`Required property '${name}' not found in JSON`);
  }
  const { resources } = source;
  if (!Array.isArray(resources) && !isJsonObject(resources)) {
    throw invalidTemplate(
      "The template property 'resources' must be an array, or an object with symbolic names",
    );
  }
  if (!Array.isArray(resources) && !/^2\./.test(textAt(source, "languageVersion") ?? "")) {
    throw invalidTemplate("Symbolic names of resources require the language version 2.0");
  }
  for (const name of ["parameters", "variables", "outputs"]) {
    const section = source[name];
    if (section !== undefined && section !== null && !isJsonObject(section)) {
      throw invalidTemplate(`The template property '${name}' must be an object`);
    }
  }
  return {
    source,
    parameters: members(source.parameters),
    variables: members(source.variables),
    functions: source.functions,
    resources,
    outputs: members(source.outputs),
    definitions: members(source.definitions),
  };
}

/** A declaration with what its `$ref` says laid under it. */
export function resolveReference(template: Template, declaration: JsonObject): JsonObject {
  const seen = new Set<string>();
  let resolved = declaration;
  for (;;) {
    const reference = textAt(resolved, "$ref");
    const name = /^#\/definitions\/(.+)$/.exec(reference ?? "")?.[1];
    if (name === undefined || seen.has(name)) return resolved;
    seen.add(name);
    const { $ref: _, ...own } = resolved;
    resolved = { ...members(template.definitions[name]), ...own };
  }
}

/** Finds a member in any case of its name. */
export function entryOf(section: JsonObject, name: string): readonly [string, JsonValue] | undefined {
  const lower = name.toLowerCase();
  for (const [each, value] of Object.entries(section)) {
    if (each.toLowerCase() === lower && value !== undefined) return [each, value];
  }
  return undefined;
}
