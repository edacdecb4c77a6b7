import type { JsonObject, JsonValue } from "@keelson/base";
import { isJsonObject, members, nonEmptyStringAt, objectsAt } from "../../base/json.ts";
import { invalidTemplate } from "../errors/template-error.ts";
import type { TemplateBudget } from "../language/template-budget.ts";

/** Parsed template with all required sections. */
export interface Template {
  readonly source: JsonObject;
  readonly parameters: JsonObject;
  readonly variables: JsonObject;
  /** Function definitions by lower-case `namespace.name`. */
  readonly functions: ReadonlyMap<string, JsonObject>;
  /** Resources as an object by symbolic name, or as an array. */
  readonly resources: JsonObject | readonly JsonValue[];
  readonly outputs: JsonObject;
  /** Type definitions to which parameters and outputs refer with `$ref`. */
  readonly definitions: JsonObject;
}

/** Maximum number of entries per section, as in Azure. */
const maxMembers = { parameters: 256, variables: 512, outputs: 64 };

/** Parses a template. @throws ArmError 400 InvalidTemplate */
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
  if (!Array.isArray(resources) && !/^2\./.test(nonEmptyStringAt(source, "languageVersion") ?? "")) {
    throw invalidTemplate("Symbolic names of resources require the language version 2.0");
  }
  for (const [name, limit] of Object.entries(maxMembers)) {
    const section = source[name];
    if (section !== undefined && section !== null && !isJsonObject(section)) {
      throw invalidTemplate(`The template property '${name}' must be an object`);
    }
    const actual = Object.keys(members(section)).length;
    if (actual > limit) {
      throw invalidTemplate(
        `The number of template ${name} limit exceeded. Limit: '${limit}' and actual: '${actual}'. Please see https://aka.ms/arm-template/#${name} for usage details`,
      );
    }
  }
  return {
    source,
    parameters: members(source.parameters),
    variables: members(source.variables),
    functions: functionsIn(source),
    resources,
    outputs: members(source.outputs),
    definitions: members(source.definitions),
  };
}

function functionsIn(source: JsonObject): ReadonlyMap<string, JsonObject> {
  const definitions = objectsAt(source, "functions").flatMap(({ namespace, members: own }) =>
    Object.entries(members(own)).flatMap(([name, definition]) =>
      isJsonObject(definition) ? [[`${String(namespace)}.${name}`.toLowerCase(), definition] as const] : [],
    ),
  );
  // If a name is defined several times, the first definition applies. A `Map` keeps the last entry for a key, so the list is
  // reversed.
  return new Map(definitions.toReversed());
}

/**
 * Merges a parameter or output declaration with the definition to which its `$ref` refers. Fields of the declaration take
 * precedence.
 */
export function resolveReference(
  template: Template,
  declaration: JsonObject,
  budget: TemplateBudget,
): JsonObject {
  const seen = new Set<string>();
  let resolved = declaration;
  for (;;) {
    const reference = nonEmptyStringAt(resolved, "$ref");
    const name = /^#\/definitions\/(.+)$/.exec(reference ?? "")?.[1];
    if (name === undefined || seen.has(name)) return resolved;
    seen.add(name);
    const { $ref: _, ...own } = resolved;
    resolved = { ...members(template.definitions[name]), ...own };
    budget.spend(Object.keys(resolved).length);
  }
}

/** Function that finds an entry by name. Names are case-insensitive. */
export type FindEntry = (name: string) => readonly [string, JsonValue] | undefined;

/** Indexes the names of a section for repeated lookups. */
export function entriesByName(section: JsonObject): FindEntry {
  const entries = new Map<string, readonly [string, JsonValue]>();
  for (const [name, value] of Object.entries(section)) {
    const lower = name.toLowerCase();
    if (value !== undefined && !entries.has(lower)) entries.set(lower, [name, value]);
  }
  return (name) => entries.get(name.toLowerCase());
}
