import { Pace, type Phases } from "@keelson/apimachinery";
import { isPlainObject } from "@keelson/base";
import { type Field, flagField, messageField, textField, textFields } from "@keelson/wire-formats";
import { stringify } from "yaml";
import type { JsonSchema } from "./json-schema.ts";
import type { Operation, Parameter, PathItem } from "./paths.ts";
import type { OpenApiV2 } from "./v2.ts";

/**
 * Number of work steps for the extensions of one schema. Most of the time is spent on extensions, because they are written as
 * YAML.
 */
const stepsOfExtensions = 200;

/**
 * Encodes the document as the message `openapi.v2.Document` for kubectl up to 1.28. Field numbers are from google/gnostic
 * openapiv2/OpenAPIv2.proto. Schema keywords that clients do not use are omitted.
 */
export function* encodeOpenApiV2(document: OpenApiV2): Phases<Buffer> {
  const pace = new Pace();
  const paths: Field[] = [];
  for (const [path, item] of Object.entries(document.paths)) {
    paths.push(messageField(2, [textField(1, path), messageField(2, pathItem(item))]));
    if (pace.isOver(stepsOfExtensions)) yield;
  }
  const definitions: Field[] = [];
  for (const [name, definition] of Object.entries(document.definitions)) {
    definitions.push(named(1, name, yield* schema(definition, pace)));
    if (pace.isOver(stepsOfExtensions)) yield;
  }
  return Buffer.concat([
    textField(1, document.swagger),
    messageField(2, [textField(1, document.info.title), textField(2, document.info.version)]),
    messageField(8, paths),
    messageField(9, definitions),
  ]);
}

function named(number: number, name: string, value: readonly Field[]): Field {
  return messageField(number, [textField(1, name), messageField(2, value)]);
}

function* schema(node: JsonSchema, pace: Pace): Phases<readonly Field[]> {
  if (pace.isOver()) yield;
  const { additionalProperties, items, properties } = node;
  const entries =
    typeof additionalProperties === "object"
      ? [messageField(1, yield* schema(additionalProperties, pace))]
      : additionalProperties
        ? [flagField(2, true)]
        : undefined;
  const members: Field[] = [];
  for (const [name, property] of Object.entries(properties ?? {})) {
    members.push(named(1, name, yield* schema(property, pace)));
  }
  return [
    textField(1, node.$ref),
    textField(2, node.format),
    textField(4, node.description),
    textFields(19, node.required),
    ...(node.enum ?? []).map((value) => messageField(20, [textField(2, stringify(value))])),
    messageField(21, entries),
    messageField(22, node.type === undefined ? undefined : [textField(1, node.type)]),
    messageField(23, items && [messageField(1, yield* schema(items, pace))]),
    messageField(25, properties && members),
    ...extensions(31, node),
  ];
}

function pathItem(item: PathItem): readonly Field[] {
  return [
    messageField(2, item.get && operation(item.get)),
    messageField(3, item.put && operation(item.put)),
    messageField(4, item.post && operation(item.post)),
    messageField(5, item.delete && operation(item.delete)),
    messageField(8, item.patch && operation(item.patch)),
    ...item.parameters.map((each) => parameter(9, each)),
  ];
}

function operation(value: Operation): readonly Field[] {
  const responses = Object.entries(value.responses).map(([code, { description }]) =>
    named(1, code, [messageField(1, [textField(1, description)])]),
  );
  return [
    ...(value.parameters ?? []).map((each) => parameter(8, each)),
    messageField(9, responses),
    ...extensions(13, value),
  ];
}

/** Encodes a parameter as ParametersItem > Parameter > NonBodyParameter > QueryParameterSubSchema or PathParameterSubSchema. */
function parameter(number: number, { name, in: place, required, type }: Parameter): Field {
  const typeNumber = place === "query" ? 6 : 5;
  const fields = [
    flagField(1, required),
    textField(2, place),
    textField(4, name),
    textField(typeNumber, type),
  ];
  const nonBody = messageField(2, [messageField(place === "query" ? 3 : 4, fields)]);
  return messageField(number, [messageField(1, [nonBody])]);
}

/** Encodes extensions as NamedAny messages. The value in each message is a YAML string. */
function extensions(number: number, node: object): readonly Field[] {
  if (!isPlainObject(node)) return [];
  return Object.entries(node)
    .filter(([name]) => name.startsWith("x-"))
    .map(([name, value]) => named(number, name, [textField(2, stringify(value))]));
}
