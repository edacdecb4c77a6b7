import { dirname, join } from "node:path";
import type { JsonObject, JsonValue } from "@keelson/base";
import { operationsOf } from "./document.ts";
import { errors } from "./errors.ts";
import { resolveParameter } from "./flat-schema.ts";
import { readDocument, readJson } from "./read-document.ts";

/** Example of an operation: a client's request and its possible responses. */
export interface DocumentedExample {
  readonly file: string;
  readonly operationId: string;
  /** HTTP method in upper case. */
  readonly method: string;
  /** Path and query with all parameters filled in. */
  readonly url: string;
  /** Values of all parameters, by parameter name in the document. */
  readonly parameters: JsonObject;
  readonly body?: JsonValue;
  /** Response bodies by status code. Undefined for a response without a body. */
  readonly responses: ReadonlyMap<number, JsonValue | undefined>;
}

/** Returns all examples of the document in `file`, in the order of its operations. @throws BadDocument */
export function readExamples(file: string): readonly DocumentedExample[] {
  const document = readDocument(file);
  return operationsOf(document).flatMap(({ path, method, operation }) => {
    const parameters = (operation.parameters ?? []).map((each) => resolveParameter(document, each));
    return Object.values(operation["x-ms-examples"] ?? {}).map(({ $ref }): DocumentedExample => {
      const exampleFile = join(dirname(file), $ref);
      const example = readJson(exampleFile) as JsonObject & ExampleFile;
      const query = new URLSearchParams();
      let filled = path;
      let body: JsonValue | undefined;
      for (const { name = "", in: place, required } of parameters) {
        const value = example.parameters[name];
        if (value === undefined && required !== true) continue;
        if (value === undefined) throw errors.BadDocument(`${exampleFile} has no value for ${name}`);
        if (place === "body") body = value;
        else if (place === "query") query.set(name, String(value));
        else filled = filled.replace(`{${name}}`, encodeURIComponent(String(value)));
      }
      return {
        file: exampleFile,
        operationId: operation.operationId,
        method: method.toUpperCase(),
        url: query.size === 0 ? filled : `${filled}?${query}`,
        parameters: example.parameters,
        ...(body === undefined ? {} : { body }),
        responses: new Map(
          Object.entries(example.responses).map(([status, response]) => [Number(status), response.body]),
        ),
      };
    });
  });
}

interface ExampleFile {
  readonly parameters: JsonObject;
  readonly responses: Readonly<Record<string, { readonly body?: JsonValue }>>;
}
