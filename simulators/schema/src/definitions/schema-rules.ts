import { fieldError, type StatusCause, scalarStringAt } from "@keelson/apimachinery";
import { isPlainObject, listAt, objectAt, stringsAt, valueAt } from "@keelson/base";
import { fieldPathOf } from "../custom/field-path.ts";
import { parseSchema } from "../custom/structural-schema.ts";

/** Position in a definition's schema. */
interface Place {
  readonly path: string;
  readonly isRoot: boolean;
  /** True inside the `apiVersion`, `kind` or `metadata` of an object. */
  readonly insideMeta: boolean;
  /** Reason why defaults are not allowed at this position. Undefined if defaults are allowed. */
  readonly noDefaults: string | undefined;
}

const types = ["array", "boolean", "integer", "number", "object", "string"];
const metaFields = new Set(["metadata", "kind", "apiVersion"]);
const unsupported: readonly (readonly [string, string])[] = [
  ["id", "id is not supported"],
  ["additionalItems", "additionalItems is not supported"],
  ["patternProperties", "patternProperties is not supported"],
  ["definitions", "definitions is not supported"],
  ["dependencies", "dependencies is not supported"],
  ["$ref", "$ref is not supported"],
];

/** Returns the validation errors for OpenAPI features that Kubernetes does not allow in definitions. */
export function validateSchemaWords(schema: unknown, path: string): readonly StatusCause[] {
  const causes: StatusCause[] = [];
  visit(schema, { path, isRoot: true, insideMeta: false, noDefaults: undefined }, causes);
  return causes;
}

function visit(schema: unknown, place: Place, causes: StatusCause[]): void {
  checkWords(schema, place, causes);
  const { path, isRoot, insideMeta } = place;
  const properties = objectAt(schema, "properties");
  const additional = valueAt(schema, "additionalProperties");
  const embedded = valueAt(schema, "x-kubernetes-embedded-resource") === true;
  const inner = { ...place, isRoot: false };
  if (isPlainObject(additional)) {
    const noDefaults = insideMeta
      ? "inside additionalProperties applying to object metadata"
      : place.noDefaults;
    visit(additional, { ...inner, path: `${path}.additionalProperties`, noDefaults }, causes);
  }
  for (const [name, property] of Object.entries(properties)) {
    const isMeta = (isRoot || embedded) && metaFields.has(name);
    visit(
      property,
      {
        path: `${path}.properties[${name}]`,
        isRoot: false,
        insideMeta: insideMeta || isMeta,
        noDefaults: isMeta && isRoot ? `in top-level ${name}` : place.noDefaults,
      },
      causes,
    );
  }
  const not = valueAt(schema, "not");
  if (isPlainObject(not)) visit(not, { ...inner, path: `${path}.not` }, causes);
  for (const word of ["allOf", "oneOf", "anyOf"]) {
    for (const [at, each] of listAt(schema, word).entries()) {
      visit(each, { ...inner, path: `${path}.${word}[${at}]` }, causes);
    }
  }
  const items = valueAt(schema, "items");
  if (isPlainObject(items)) visit(items, { ...inner, path: `${path}.items` }, causes);
}

function checkWords(schema: unknown, { path, insideMeta, noDefaults }: Place, causes: StatusCause[]): void {
  const type = scalarStringAt(schema, "type");
  if (type && type !== "null" && !types.includes(type)) {
    causes.push(fieldError.notSupported(`${path}.type`, type, types));
  }
  if (valueAt(schema, "default") !== undefined && noDefaults !== undefined) {
    causes.push(fieldError.forbidden(`${path}.default`, `must not be set ${noDefaults}`));
  }
  for (const [word, why] of unsupported) {
    if (valueAt(schema, word) !== undefined) causes.push(fieldError.forbidden(`${path}.${word}`, why));
  }
  if (type === "null") {
    const why = "type cannot be set to null, use nullable as an alternative";
    causes.push(fieldError.forbidden(`${path}.type`, why));
  }
  if (Array.isArray(valueAt(schema, "items"))) {
    causes.push(fieldError.forbidden(`${path}.items`, "items must be a schema object and not an array"));
  }
  if (insideMeta && valueAt(schema, "x-kubernetes-embedded-resource") === true) {
    const why = "must not be used inside of resource meta";
    causes.push(fieldError.forbidden(`${path}.x-kubernetes-embedded-resource`, why));
  }
  if (valueAt(schema, "uniqueItems") === true) {
    const why = "uniqueItems cannot be set to true since the runtime complexity becomes quadratic";
    causes.push(fieldError.forbidden(`${path}.uniqueItems`, why));
  }
  const additional = valueAt(schema, "additionalProperties");
  if (
    additional !== undefined &&
    additional !== true &&
    Object.keys(objectAt(schema, "properties")).length > 0
  ) {
    const why = "additionalProperties and properties are mutual exclusive";
    causes.push(fieldError.forbidden(`${path}.additionalProperties`, why));
  }
  if (valueAt(schema, "x-kubernetes-preserve-unknown-fields") === false) {
    const why = "must be true or undefined";
    causes.push(fieldError.invalid(`${path}.x-kubernetes-preserve-unknown-fields`, false, why));
  }
  checkMapType(schema, type, path, causes);
  checkListType(schema, type, path, causes);
  checkRuleWords(schema, path, causes);
}

function checkMapType(schema: unknown, type: string, path: string, causes: StatusCause[]): void {
  const mapType = valueAt(schema, "x-kubernetes-map-type");
  if (mapType === undefined) return;
  if (type !== "object") {
    const why = "must be object if x-kubernetes-map-type is specified";
    causes.push(
      type ? fieldError.invalid(`${path}.type`, type, why) : fieldError.required(`${path}.type`, why),
    );
  }
  if (mapType !== "atomic" && mapType !== "granular") {
    causes.push(fieldError.notSupported(`${path}.x-kubernetes-map-type`, mapType, ["atomic", "granular"]));
  }
}

function checkListType(schema: unknown, type: string, path: string, causes: StatusCause[]): void {
  const listType = valueAt(schema, "x-kubernetes-list-type");
  const keys = stringsAt(schema, "x-kubernetes-list-map-keys");
  const field = `${path}.x-kubernetes-list-type`;
  const items = valueAt(schema, "items");
  if (keys.length > 0 && listType !== "map") {
    const why = "must be map if x-kubernetes-list-map-keys is non-empty";
    causes.push(
      listType === undefined ? fieldError.required(field, why) : fieldError.invalid(field, listType, why),
    );
  }
  if (listType === undefined) return;
  if (type !== "array") {
    const why = "must be array if x-kubernetes-list-type is specified";
    causes.push(
      type ? fieldError.invalid(`${path}.type`, type, why) : fieldError.required(`${path}.type`, why),
    );
  } else if (listType === "set") checkSetItems(items, `${path}.items`, causes);
  if (listType !== "atomic" && listType !== "set" && listType !== "map") {
    causes.push(fieldError.notSupported(field, listType, ["atomic", "set", "map"]));
  }
  if (listType === "map") checkListMap(items, keys, path, causes);
  if ((listType === "set" || listType === "map") && valueAt(items, "nullable") === true) {
    const why = `cannot be nullable when x-kubernetes-list-type is ${listType}`;
    causes.push(fieldError.forbidden(`${path}.items.nullable`, why));
  }
}

function checkSetItems(items: unknown, path: string, causes: StatusCause[]): void {
  const why = "must be atomic as item of a list with x-kubernetes-list-type=set";
  const listType = valueAt(items, "x-kubernetes-list-type");
  if (valueAt(items, "type") === "array" && listType !== undefined && listType !== "atomic") {
    causes.push(fieldError.invalid(`${path}.x-kubernetes-list-type`, listType, why));
  }
  if (valueAt(items, "type") === "object" && valueAt(items, "x-kubernetes-map-type") !== "atomic") {
    causes.push(fieldError.invalid(`${path}.x-kubernetes-map-type`, listType ?? null, why));
  }
}

function checkListMap(items: unknown, keys: readonly string[], path: string, causes: StatusCause[]): void {
  const field = `${path}.x-kubernetes-list-map-keys`;
  if (keys.length === 0) {
    causes.push(fieldError.required(field, "must not be empty if x-kubernetes-list-type is map"));
  }
  if (!isPlainObject(items)) {
    const why = "must have a schema if x-kubernetes-list-type is map";
    if (items === undefined) causes.push(fieldError.required(`${path}.items`, why));
    return;
  }
  if (items.type !== "object") {
    const why = "must be object if parent array's x-kubernetes-list-type is map";
    causes.push(fieldError.invalid(`${path}.items.type`, scalarStringAt(items, "type"), why));
    return;
  }
  const required = stringsAt(items, "required");
  for (const [at, key] of keys.entries()) {
    const property = valueAt(items, "properties", key);
    const propertyPath = `${path}.items.properties[${key}]`;
    if (property === undefined) {
      causes.push(fieldError.invalid(field, keys, "entries must all be names of item properties"));
    } else if (valueAt(property, "type") === "array" || valueAt(property, "type") === "object") {
      const why = "must be a scalar type if parent array's x-kubernetes-list-type is map";
      causes.push(fieldError.invalid(`${propertyPath}.type`, items.type, why));
    }
    if (keys.indexOf(key) < at) {
      causes.push(fieldError.invalid(field, keys, "must not contain duplicate entries"));
    }
    if (property === undefined) continue;
    if (!required.includes(key) && valueAt(property, "default") === undefined) {
      const why =
        "this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property";
      causes.push(fieldError.required(`${propertyPath}.default`, why));
    }
    if (valueAt(property, "nullable") === true) {
      const why = "this property is in x-kubernetes-list-map-keys, so it cannot be nullable";
      causes.push(fieldError.forbidden(`${propertyPath}.nullable`, why));
    }
  }
}

const reasons = ["FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"];

/** Validates rules without compiling their expressions. */
function checkRuleWords(schema: unknown, path: string, causes: StatusCause[]): void {
  for (const [at, each] of listAt(schema, "x-kubernetes-validations").entries()) {
    const field = `${path}.x-kubernetes-validations[${at}]`;
    const message = valueAt(each, "message");
    const rule = scalarStringAt(each, "rule").trim();
    const trimmed = scalarStringAt(each, "message").trim();
    const expression = valueAt(each, "messageExpression");
    const fieldPath = scalarStringAt(each, "fieldPath");
    const reason = valueAt(each, "reason");
    if (!rule) causes.push(fieldError.required(`${field}.rule`, "rule is not specified"));
    else if (message && !trimmed) {
      causes.push(fieldError.invalid(`${field}.message`, message, "must be non-empty if specified"));
    } else if (/[\n\r]/.test(trimmed)) {
      causes.push(fieldError.invalid(`${field}.message`, message, "must not contain line breaks"));
    } else if (/[\n\r]/.test(rule) && !trimmed) {
      const why = "message must be specified if rule contains line breaks";
      causes.push(fieldError.required(`${field}.message`, why));
    }
    if (typeof expression === "string" && expression && !expression.trim()) {
      const why = "messageExpression must be non-empty if specified";
      causes.push(fieldError.required(`${field}.messageExpression`, why));
    }
    if (reason !== undefined && !reasons.includes(scalarStringAt(each, "reason"))) {
      causes.push(fieldError.notSupported(`${field}.reason`, reason, reasons));
    }
    if (fieldPath && !fieldPath.trim()) {
      causes.push(fieldError.invalid(`${field}.fieldPath`, fieldPath, "must be non-empty if specified"));
    }
    if (/[\n\r]/.test(fieldPath)) {
      causes.push(fieldError.invalid(`${field}.fieldPath`, fieldPath, "must not contain line breaks"));
    }
    if (fieldPath && !fieldPathOf(fieldPath, parseSchema(schema))) {
      causes.push(fieldError.invalid(`${field}.fieldPath`, fieldPath, "must be a valid path"));
    }
  }
}
