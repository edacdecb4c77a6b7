import {
  type OpenApiDocument,
  type Operation,
  type Parameter,
  reachable,
  type Schema,
} from "@keelson/openapi";

/** Says in TypeSpec since when there is a member of a type that is not ours. */
const sinceExtension = "x-keelson-since";

/**
 * A document with what its operations need and nothing else, and with a place for the examples of each:
 *
 * - Members that a later version introduced, according to `x-keelson-since`, are taken out.
 * - Definitions that no operation needs are taken out.
 * - Each operation names its example, `./examples/<operationId>.json`.
 * - What is the same in all calls of a client is said to be the client's: other generators would ask for it each time.
 */
export function selfContained(document: OpenApiDocument): OpenApiDocument {
  const definitions = Object.fromEntries(
    Object.entries(document.definitions).map(([name, schema]) => [
      name,
      withoutLater(schema, document.info.version),
    ]),
  );
  const needed = reachable([document.paths, document.parameters], definitions);
  return {
    ...document,
    paths: withExamples(document),
    definitions: Object.fromEntries(Object.entries(definitions).filter(([name]) => needed.has(name))),
    parameters: Object.fromEntries(
      Object.entries(document.parameters ?? {}).map(([name, parameter]) => [name, ofClient(parameter)]),
    ),
  };
}

function ofClient(parameter: Parameter): Parameter {
  if (parameter.name !== "api-version" && parameter.name !== "subscriptionId") return parameter;
  return { ...parameter, "x-ms-parameter-location": "client" };
}

function withoutLater(schema: Schema, version: string): Schema {
  if (!schema.properties) return schema;
  const members = Object.entries(schema.properties).flatMap(([name, member]): [string, Schema][] => {
    const { [sinceExtension]: since, ...rest } = member as Schema & { readonly [sinceExtension]?: string };
    return since !== undefined && since > version ? [] : [[name, rest]];
  });
  return { ...schema, properties: Object.fromEntries(members) };
}

function withExamples({ paths }: OpenApiDocument): OpenApiDocument["paths"] {
  return Object.fromEntries(
    Object.entries(paths).map(([path, item]) => [
      path,
      Object.fromEntries(Object.entries(item).map(([method, operation]) => [method, withExample(operation)])),
    ]),
  );
}

function withExample(operation: Operation): Operation {
  const { operationId } = operation;
  const example = { $ref: `./examples/${operationId}.json` };
  return { ...operation, "x-ms-examples": { [operationId]: example } };
}
