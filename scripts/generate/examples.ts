import type { JsonObject, JsonValue } from "@keelson/base";
import { type OpenApiDocument, operationsOf, resolveParameter } from "@keelson/openapi";

/** Example file with a request and its possible responses. */
export interface Example {
  readonly operationId: string;
  readonly title: string;
  readonly parameters: JsonObject;
  readonly responses: Readonly<Record<string, ExampleResponse>>;
}

export interface ExampleResponse {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: JsonValue;
}

/** Values for the examples of all operations in a document. */
export interface ExampleMaterial {
  /** Values by path or query parameter name. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Request bodies by operation ID. */
  readonly bodies: Readonly<Record<string, JsonObject>>;
  /** Responses by operation ID and status code. */
  readonly responses: Readonly<Record<string, Readonly<Record<string, ExampleResponse>>>>;
}

/**
 * Returns an example for each operation in a document.
 * @throws Error if a value is missing
 */
export function examplesOf(document: OpenApiDocument, material: ExampleMaterial): readonly Example[] {
  return operationsOf(document).map(({ operation }) => {
    const { operationId, description = operationId } = operation;
    const values = (operation.parameters ?? []).map((parameter): [string, JsonValue] => {
      const { name = "", in: place } = resolveParameter(document, parameter);
      const value = place === "body" ? material.bodies[operationId] : material.parameters[name];
      return [name, given(value, `a value of ${name} for ${operationId}`)];
    });
    return {
      operationId,
      title: description,
      parameters: Object.fromEntries(values),
      responses: given(material.responses[operationId], `an answer to ${operationId}`),
    };
  });
}

function given<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Error(`the examples in scripts/generate lack ${what}`);
  return value;
}
