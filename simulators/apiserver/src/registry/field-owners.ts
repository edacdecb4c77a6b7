import {
  difference,
  entryOf,
  inTurns,
  isEmpty,
  type KubeObject,
  type ManagedFieldsEntry,
  managersSent,
  type Phases,
  sharedTurns,
  union,
  type Writer,
} from "@keelson/apimachinery";
import {
  afterUpdate,
  appliedErrors,
  applyInPhases,
  builtinFieldSchema,
  comparisons,
  customFieldSchema,
  declaredFieldSchema,
  type FieldSchema,
  newFields,
  type VersionView,
} from "@keelson/schema";
import { type RegistryContext, timestamp, type WriteOptions } from "../resources/registry-context.ts";
import { apiVersionOf, parseApiVersion, type ServedResource } from "../resources/served-resource.ts";
import { convertBuiltin } from "./convert-builtin.ts";
import type { ModifiedPart } from "./modified-part.ts";
import { strategyFor } from "./strategy.ts";

/** Default field manager of controllers and in-process clients. */
const defaultManager = "keelson";

export interface Managed {
  readonly object: KubeObject;
  readonly managers: readonly ManagedFieldsEntry[];
}

/**
 * Returns the managed fields of a created object. The creator owns all fields, including defaults. Exception: the creator owns a
 * field that the server sets only if the request contains the field.
 */
export function* initialManagedFields(
  context: RegistryContext,
  resource: ServedResource,
  given: KubeObject,
  object: KubeObject,
  options: WriteOptions,
): Phases<readonly ManagedFieldsEntry[]> {
  const schema = fieldSchemaOf(resource, "main");
  const all = yield* newFields(schema, object);
  const { serverFields } = strategyFor(resource.bucket);
  const taken = typeof serverFields === "function" ? serverFields(object) : serverFields;
  const fields = taken ? union(difference(all, taken), yield* newFields(schema, given)) : all;
  return isEmpty(fields) ? [] : [entryOf(writerOf(context, resource, options), "Update", fields)];
}

/** Returns the managed fields after an update. The updater owns all changed fields. `sent` is the request's `managedFields`. */
export async function ownersAfterUpdate(
  context: RegistryContext,
  resource: ServedResource,
  part: ModifiedPart,
  current: KubeObject,
  next: KubeObject,
  sent: unknown,
  options: WriteOptions,
): Promise<readonly ManagedFieldsEntry[]> {
  const live = current.metadata.managedFields ?? [];
  const managers = options.subresource ? live : managersSent(sent, live);
  // If an object has no managed fields, an update does not add any.
  if (managers.length === 0) return managers;
  await sharedTurns.next(context.store, options.budget);
  const writer = writerOf(context, resource, options);
  const viewIn = viewsOf(context, resource, part);
  const schema = fieldSchemaOf(resource, part);
  const phases = function* () {
    const changes = yield* comparisons(current, next, { schema, managers, writer, viewIn });
    yield;
    return yield* afterUpdate(managers, changes, writer);
  };
  return inTurns(phases(), context.store, options.budget);
}

/** Merges the apply configuration `wanted` into the live object. @throws StatusError 409 */
export async function applied(
  context: RegistryContext,
  resource: ServedResource,
  part: ModifiedPart,
  live: KubeObject | undefined,
  wanted: KubeObject,
  options: WriteOptions,
): Promise<Managed> {
  const phases = applyInPhases({
    live,
    applied: wanted,
    managers: live?.metadata.managedFields ?? [],
    writer: writerOf(context, resource, options),
    force: options.force ?? false,
    schema: fieldSchemaOf(resource, part),
    viewIn: viewsOf(context, resource, part),
  });
  return inTurns(phases, context.store, options.budget);
}

/** Returns the errors that prevent an apply: unknown fields, wrong types, and list items without keys. */
export function appliedProblems(resource: ServedResource, config: unknown): readonly string[] {
  return appliedErrors(declaredFieldSchema(wholeFieldSchema(resource)), config);
}

function writerOf(
  { clock }: RegistryContext,
  resource: ServedResource,
  { fieldManager = defaultManager, subresource = "" }: WriteOptions,
): Writer {
  return {
    manager: fieldManager,
    subresource,
    apiVersion: apiVersionOf(resource.type),
    now: timestamp(clock),
  };
}

function viewsOf({ directory }: RegistryContext, { type }: ServedResource, part: ModifiedPart) {
  return (apiVersion: string): VersionView | undefined => {
    const { group, version } = parseApiVersion(apiVersion);
    const found =
      directory.find({ group, version, resource: type.plural }) ?? directory.findKind(apiVersion, type.kind);
    if (!found) return undefined;
    return { schema: fieldSchemaOf(found, part), show: (object) => convertBuiltin(object, apiVersion) };
  };
}

const schemas = new WeakMap<ServedResource, Map<ModifiedPart, FieldSchema>>();
const wholeFieldSchemas = new WeakMap<ServedResource, FieldSchema>();

/** Returns the schema of the fields that a subresource write may change. */
function fieldSchemaOf(resource: ServedResource, part: ModifiedPart): FieldSchema {
  const known = schemas.get(resource) ?? new Map<ModifiedPart, FieldSchema>();
  schemas.set(resource, known);
  const found = known.get(part);
  if (found) return found;
  const made = partOf(wholeFieldSchema(resource), part, resource);
  known.set(part, made);
  return made;
}

function wholeFieldSchema(resource: ServedResource): FieldSchema {
  const known = wholeFieldSchemas.get(resource);
  if (known) return known;
  const made = resource.custom
    ? customFieldSchema(resource.custom.schema)
    : builtinFieldSchema(resource.type);
  wholeFieldSchemas.set(resource, made);
  return made;
}

function partOf(whole: FieldSchema, part: ModifiedPart, { type }: ServedResource): FieldSchema {
  if (whole.kind !== "struct" || part === "whole") return whole;
  if (part === "main") {
    if (!type.subresources.includes("status")) return whole;
    return {
      ...whole,
      fields: new Map<string, FieldSchema | undefined>(whole.fields).set("status", undefined),
    };
  }
  const name = part === "status" ? "status" : "spec";
  const field = whole.fields.get(name) ?? whole.others;
  return { ...whole, fields: new Map([[name, field]]), others: undefined };
}
