import { type KubeObject, Pace, type Phases, scalarStringAt } from "@keelson/apimachinery";
import { isPlainObject, listAt } from "@keelson/base";
import { customDefinitionName, listMetaDefinition, objectMetaDefinition } from "./definition-name.ts";
import { type JsonSchema, type OpenApiVersion, refTo } from "./json-schema.ts";

/** Served version of a CustomResourceDefinition (apiextensions.k8s.io/v1). */
export interface CustomKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly listKind: string;
  readonly plural: string;
  readonly namespaced: boolean;
  readonly definition: string;
  /** Definition name of the list kind. */
  readonly listDefinition: string;
  /** Fields that field selectors may use, for example `spec.colour`. */
  readonly selectableFields: readonly string[];
  /** Declared subresources: `status`, `scale`. */
  readonly subresources: readonly string[];
  /** `openAPIV3Schema` without changes. Undefined if the version has no schema. */
  readonly schema: unknown;
}

/** Returns the served versions of a definition. Empty if the definition is malformed. */
export function customKinds(crd: KubeObject): readonly CustomKind[] {
  const { spec } = crd;
  if (!isPlainObject(spec) || !isPlainObject(spec.names) || !Array.isArray(spec.versions)) return [];
  const { kind, plural } = spec.names;
  const listKind = scalarStringAt(spec.names, "listKind") || `${String(kind)}List`;
  const { group, scope } = spec;
  if (typeof kind !== "string" || typeof plural !== "string" || typeof group !== "string") return [];
  return spec.versions.flatMap((each: unknown): CustomKind[] => {
    if (!isPlainObject(each) || each.served !== true || typeof each.name !== "string") return [];
    return [
      {
        group,
        version: each.name,
        kind,
        listKind,
        plural,
        namespaced: scope === "Namespaced",
        definition: customDefinitionName(group, each.name, kind),
        listDefinition: customDefinitionName(group, each.name, listKind),
        selectableFields: listAt(each, "selectableFields").map((field) =>
          scalarStringAt(field, "jsonPath").replace(/^\./, ""),
        ),
        subresources: ["status", "scale"].filter(
          (name) => isPlainObject(each.subresources) && isPlainObject(each.subresources[name]),
        ),
        schema: isPlainObject(each.schema) ? each.schema.openAPIV3Schema : undefined,
      },
    ];
  });
}

/** Returns the published schema of a custom kind. */
export function* customSchema(openApi: OpenApiVersion, custom: CustomKind): Phases<JsonSchema> {
  const extension = extensionsOf(custom, custom.kind);
  const written = isPlainObject(custom.schema)
    ? yield* publish(openApi, custom.schema, new Pace())
    : { type: "object" };
  const free = written.type === undefined && written.properties === undefined;
  return free ? { ...written, ...extension } : { ...withObjectMembers(openApi, written), ...extension };
}

/** Returns the published schema of a custom kind's lists. */
export function customListSchema(openApi: OpenApiVersion, custom: CustomKind): JsonSchema {
  return {
    type: "object",
    description: `${custom.listKind} is a list of ${custom.kind}`,
    required: ["items"],
    properties: {
      apiVersion: text("Group and version of the list's schema."),
      items: { type: "array", items: { $ref: refTo(openApi, custom.definition) } },
      kind: text("Kind of the list."),
      metadata: { $ref: refTo(openApi, listMetaDefinition) },
    },
    ...extensionsOf(custom, custom.listKind),
  };
}

function extensionsOf({ group, version, selectableFields }: CustomKind, kind: string) {
  return {
    "x-kubernetes-group-version-kind": [{ group, version, kind }],
    ...(selectableFields.length > 0
      ? { "x-kubernetes-selectable-fields": selectableFields.map((fieldPath) => ({ fieldPath })) }
      : {}),
  };
}

const text = (description: string) => ({ type: "string", description });

function withObjectMembers(openApi: OpenApiVersion, schema: JsonSchema): JsonSchema {
  return {
    ...schema,
    properties: {
      ...schema.properties,
      apiVersion: text("Group and version of the object's schema."),
      kind: text("Kind of the object."),
      metadata: { $ref: refTo(openApi, objectMetaDefinition) },
    },
  };
}

const schemaMaps = new Set(["properties"]);
const schemaLists = new Set(["allOf", "anyOf", "oneOf"]);
const schemas = new Set(["items", "additionalProperties", "not"]);
/** Keywords of OpenAPI 3 and Kubernetes that version 2 does not support. */
const onlyInVersion3 = new Set(["allOf", "anyOf", "oneOf", "not", "nullable", "x-kubernetes-validations"]);

/**
 * Prepares a schema for publication. In OpenAPI 2, nullable values and values with unknown fields have no restrictions. kubectl
 * up to version 1.28 validates with the OpenAPI 2 document and would otherwise reject valid objects.
 */
function* publish(
  openApi: OpenApiVersion,
  schema: Readonly<Record<string, unknown>>,
  pace: Pace,
): Phases<JsonSchema> {
  if (pace.isOver()) yield;
  const open = schema["x-kubernetes-preserve-unknown-fields"] === true || schema.nullable === true;
  const closedWords = new Set(["type", "properties", "items", "additionalProperties", "required"]);
  const result = new Map<string, unknown>();
  for (const [word, value] of Object.entries(schema)) {
    if (openApi === 2 && (onlyInVersion3.has(word) || (open && closedWords.has(word)))) continue;
    result.set(word, yield* published(openApi, word, value, pace));
  }
  if (openApi === 2 && schema["x-kubernetes-int-or-string"] === true) {
    result.delete("type");
  }
  const plain: JsonSchema = Object.fromEntries(result);
  const embedded = schema["x-kubernetes-embedded-resource"] === true && plain.type !== undefined;
  return embedded ? withObjectMembers(openApi, plain) : plain;
}

function* published(openApi: OpenApiVersion, word: string, value: unknown, pace: Pace): Phases<unknown> {
  if (schemas.has(word)) return isPlainObject(value) ? yield* publish(openApi, value, pace) : value;
  const isList = schemaLists.has(word) && Array.isArray(value);
  if (!isList && !(schemaMaps.has(word) && isPlainObject(value))) return value;
  const inner: [string, unknown][] = [];
  for (const [name, each] of Object.entries(value)) {
    inner.push([name, isPlainObject(each) ? yield* publish(openApi, each, pace) : each]);
  }
  return isList ? inner.map(([, each]) => each) : Object.fromEntries(inner);
}
