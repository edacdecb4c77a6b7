import type { ResourceType } from "@keelson/apimachinery";
import { allTypes, factLines, type ObjectSchema, type TypeSchema, typeOf } from "@keelson/kinds";
import {
  atomicSchema,
  booleanSchema,
  type FieldSchema,
  freeSchema,
  numberSchema,
  type StructSchema,
  scalarSchema,
  textSchema,
} from "./field-schema.ts";
import { type Ownership, parseOwnership } from "./ownership.ts";

/**
 * Ownership rules of types that several kinds share, in the format of `TypeFacts`. Source: the markers `+listType`,
 * `+listMapKey`, `+structType` and `+mapType` in kubernetes/api `{group}/{version}/types.go`. The rules of ObjectMeta are from
 * kubernetes/apimachinery.
 */
const shared = `
meta.v1.ObjectMeta finalizers= ownerReferences=uid
core.v1.Container env=name ports=containerPort,protocol:"TCP" volumeDevices=devicePath volumeMounts=mountPath
core.v1.ContainerRestartRuleOnExitCodes values=
core.v1.EphemeralContainer env=name ports=containerPort,protocol:"TCP" volumeDevices=devicePath volumeMounts=mountPath
core.v1.ResourceRequirements claims=name
core.v1.PodSpec containers=name ephemeralContainers=name hostAliases=ip imagePullSecrets=name initContainers=name resourceClaims=name schedulingGates=name topologySpreadConstraints=topologyKey,whenUnsatisfiable volumes=name nodeSelector=!
admissionregistration.v1.MatchResources =!
admissionregistration.v1.NamedRuleWithOperations =!
core.v1.SecretReference =!
core.v1.FileKeySelector =!
core.v1.ObjectFieldSelector =!
core.v1.ResourceFieldSelector =!
core.v1.ConfigMapKeySelector =!
core.v1.SecretKeySelector =!
core.v1.NodeSelector =!
core.v1.NodeSelectorTerm =!
core.v1.ObjectReference =!
core.v1.LocalObjectReference =!
core.v1.TypedLocalObjectReference =!
rbac.v1.Subject =!
rbac.v1.RoleRef =!
meta.v1.OwnerReference =!
meta.v1.LabelSelector =!
`;

let parsed: Ownership | undefined;

function ownership(): Ownership {
  parsed ??= parseOwnership(factLines("ownership", shared));
  return parsed;
}

/** Names of fields that Go serializes even if they are empty: structs that are not pointers, and lists without `omitempty`. */
const implicitFieldNames: ReadonlySet<string> = new Set([
  "metadata",
  "spec",
  "status",
  "template",
  "jobTemplate",
  "strategy",
  "updateStrategy",
  "containers",
]);

/** Returns the keys of a list with separately owned items. Empty for a set, undefined for an atomic list. */
export function listKeysOf(typeName: string, field: string): readonly string[] | undefined {
  return ownership().lists.get(`${typeName}.${field}`)?.keys;
}

/** True if an object or map field is owned as a unit. */
export function isAtomicField(typeName: string, field: string): boolean {
  return ownership().atomic.has(`${typeName}.${field}`);
}

export function isAtomicType(typeName: string): boolean {
  return ownership().atomic.has(`${typeName}.`);
}

/** Metadata fields that only the server sets. These fields have no owner. */
const serverFields: readonly string[] = [
  "name",
  "namespace",
  "uid",
  "resourceVersion",
  "generation",
  "creationTimestamp",
  "selfLink",
  "managedFields",
];

const fieldSchemas = new Map<string, StructSchema>();

/**
 * Returns the field schema of a built-in kind. If the catalogue has no schema for the kind, returns a schema that accepts any
 * fields.
 */
export function builtinFieldSchema(type: ResourceType): FieldSchema {
  const schema = typeOf(type);
  return objectFieldSchema(schema ? fieldSchemaOfObject(schema) : freeSchema);
}

/** Returns the field schema of a kind's objects. In this schema, fields that only the server sets have no owner. */
export function objectFieldSchema(fieldSchema: FieldSchema): FieldSchema {
  const struct = fieldSchema.kind === "struct" ? fieldSchema : undefined;
  const fields = new Map<string, FieldSchema | undefined>(struct?.fields);
  fields.set("apiVersion", undefined).set("kind", undefined).set("metadata", metadataFieldSchema());
  const others = struct ? struct.others : freeSchema;
  return {
    kind: "struct",
    fields,
    others,
    implicitFields: new Set([...(struct?.implicitFields ?? []), "metadata"]),
  };
}

function metadataFieldSchema(): FieldSchema {
  const fieldSchema = wholeMetadataFieldSchema();
  if (fieldSchema.kind !== "struct") return fieldSchema;
  const fields = new Map<string, FieldSchema | undefined>(fieldSchema.fields);
  for (const name of serverFields) fields.set(name, undefined);
  return { ...fieldSchema, fields };
}

function wholeMetadataFieldSchema(): FieldSchema {
  const schema = allTypes().get("meta.v1.ObjectMeta");
  return schema ? structOf(schema) : freeSchema;
}

/**
 * Returns the field schema that validates an applied configuration. Unlike in `objectFieldSchema`, fields that only the server
 * sets are declared with their types.
 */
export function declaredFieldSchema(fieldSchema: FieldSchema): FieldSchema {
  if (fieldSchema.kind !== "struct") return fieldSchema;
  const fields = new Map<string, FieldSchema | undefined>(fieldSchema.fields);
  fields.set("apiVersion", textSchema).set("kind", textSchema).set("metadata", wholeMetadataFieldSchema());
  return { ...fieldSchema, fields };
}

function fieldSchemaOfObject(schema: ObjectSchema, granular = false): FieldSchema {
  const fieldSchema = structOf(schema);
  return isAtomicType(schema.name) && !granular ? atomicSchema(fieldSchema) : fieldSchema;
}

function structOf(schema: ObjectSchema): StructSchema {
  const found = fieldSchemas.get(schema.name);
  if (found) return found;
  const fields = new Map<string, FieldSchema>();
  const implicitFields = new Set([...schema.fields.keys()].filter((name) => implicitFieldNames.has(name)));
  const fieldSchema: StructSchema = { kind: "struct", fields, others: undefined, implicitFields };
  // The schema is registered before its fields are resolved, because types may be recursive.
  fieldSchemas.set(schema.name, fieldSchema);
  for (const [name, field] of schema.fields) {
    fields.set(name, fieldSchemaOfField(`${schema.name}.${name}`, field.schema));
  }
  return fieldSchema;
}

function fieldSchemaOfField(path: string, schema: TypeSchema): FieldSchema {
  const { atomic, granular, lists } = ownership();
  if (atomic.has(path)) return atomicSchema(fieldSchemaOf(schema));
  if (schema.type === "object") return fieldSchemaOfObject(schema, granular.has(path));
  if (schema.type !== "list") return fieldSchemaOf(schema);
  const list = lists.get(path);
  const items = fieldSchemaOf(schema.items);
  if (!list) return { kind: "leaf", content: { items } };
  const { keys } = list;
  if (keys.length === 0) return { kind: "set", items };
  // Keys identify the items of this list. If the item type is atomic, each item is owned as a unit.
  const defaults = { ...zeroKeys(keys, schema.items), ...list.defaults };
  return { kind: "list", keys, defaults, items };
}

function zeroKeys(keys: readonly string[], items: TypeSchema): Readonly<Record<string, unknown>> {
  const fields = items.type === "object" ? items.fields : undefined;
  return Object.fromEntries(
    keys.map((key): [string, unknown] => {
      const type = fields?.get(key)?.schema.type;
      return [key, type === "int32" || type === "int64" ? 0 : ""];
    }),
  );
}

function fieldSchemaOf(schema: TypeSchema): FieldSchema {
  switch (schema.type) {
    case "object":
      return fieldSchemaOfObject(schema);
    case "map":
      return { kind: "map", values: fieldSchemaOf(schema.values) };
    case "list":
      return { kind: "leaf", content: { items: fieldSchemaOf(schema.items) } };
    case "any":
      return freeSchema;
    case "int32":
    case "int64":
    case "number":
      return numberSchema;
    case "boolean":
      return booleanSchema;
    case "quantity":
    case "intOrString":
      return scalarSchema;
    default:
      return textSchema;
  }
}
