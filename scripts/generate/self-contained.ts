import {
  type OpenApiDocument,
  type Operation,
  type Parameter,
  reachable,
  type Schema,
} from "@keelson/openapi";

/** OpenAPI extension with the version that introduced a property of an imported type. */
const sinceExtension = "x-keelson-since";

/**
 * Reduces a document to the definitions that its operations need:
 * - Removes properties that a later version introduced, according to `x-keelson-since`.
 * - Removes unused definitions.
 * - Adds a reference to each operation's example, `./examples/<operationId>.json`.
 * - Marks parameters that have the same value in all requests as client parameters. Without this mark, code generators other
 * than those of this project would require these parameters in each call.
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
