import { createRequire } from "node:module";
import { Ajv, type ErrorObject } from "ajv";
import type { FormatsPlugin } from "ajv-formats";
import { readApiDocument } from "./api-documents.ts";
import { type OpenApiDocument, type Operation, operationsOf } from "./document.ts";
import { errors } from "./errors.ts";
import { resolveParameter } from "./flat-schema.ts";
import { type Direction, type JsonSchema, jsonSchemas, schemaOf } from "./json-schema.ts";

/**
 * Function that returns the validation errors of a body. Each error is one line with path and problem. The list is empty for a
 * valid body.
 */
export type BodyCheck = (body: unknown) => readonly string[];

/**
 * Validators for the bodies of an OpenAPI document. In tests of a service:
 *
 *     const schemas = BodySchemas.ofVersion("2025-07-25");
 *     assert.deepEqual(schemas.response("OpenShiftClusters_Get", 200)(await response.json()), []);
 *     assert.deepEqual(schemas.response("OpenShiftClusters_Get", 404)(error), []); // the document's default
 *     assert.deepEqual(schemas.request("OpenShiftClusters_CreateOrUpdate")(body), []);
 *
 * The validators are stricter than the document. Unknown properties are invalid. Values that an enumeration does not list are
 * invalid, although the document may allow future values. Requests must not have read-only properties. Use one object for all
 * tests of a file, because compiled validators are cached.
 */
export class BodySchemas {
  readonly #document: OpenApiDocument;
  readonly #operations: ReadonlyMap<string, Operation>;
  readonly #compilers = new Map<Direction, Ajv>();

  constructor(document: OpenApiDocument) {
    this.#document = document;
    this.#operations = new Map(
      operationsOf(document).map(({ operation }) => [operation.operationId, operation]),
    );
  }

  /** Returns the validators of an API version. @throws NotDocumented */
  static ofVersion(version: string): BodySchemas {
    return new BodySchemas(readApiDocument(version));
  }

  /** Returns the IDs of all operations. */
  get operationIds(): readonly string[] {
    return [...this.#operations.keys()];
  }

  /**
   * Returns the validator for a response body. If the status is undocumented, the validator rejects every body.
   * @throws NotDocumented
   */
  response(operationId: string, status: number): BodyCheck {
    const { responses } = this.#operation(operationId);
    const response = responses[String(status)] ?? (status >= 400 ? responses.default : undefined);
    if (!response) throw this.#unknown(`${operationId} has no response with status ${status}`);
    if (!response.schema) return nothing;
    return this.#check("response", schemaOf(this.#document, response.schema, "response"));
  }

  /** Returns the validator for a request body. @throws NotDocumented */
  request(operationId: string): BodyCheck {
    const parameters = (this.#operation(operationId).parameters ?? []).map((parameter) =>
      resolveParameter(this.#document, parameter),
    );
    const body = parameters.find((parameter) => parameter.in === "body");
    if (!body?.schema) return nothing;
    return this.#check("request", schemaOf(this.#document, body.schema, "request"));
  }

  #operation(operationId: string): Operation {
    const found = this.#operations.get(operationId);
    if (found) return found;
    throw this.#unknown(`there is no operation ${operationId}: there are ${this.operationIds.join(", ")}`);
  }

  #unknown(what: string) {
    return errors.NotDocumented(`in version ${this.#document.info.version} ${what}`);
  }

  #check(direction: Direction, schema: JsonSchema): BodyCheck {
    const validate = this.#compiler(direction).compile(schema);
    return (body) => (validate(body) ? [] : (validate.errors ?? []).map(describe));
  }

  #compiler(direction: Direction): Ajv {
    const known = this.#compilers.get(direction);
    if (known) return known;
    const ajv = new Ajv({ allErrors: true, strict: true, allowUnionTypes: true });
    addFormats(ajv);
    // Azure formats: a resource ID, and a secret that user interfaces must hide.
    ajv.addFormat("arm-id", /^\/.+/);
    ajv.addFormat("password", true);
    ajv.addSchema(jsonSchemas(this.#document, direction));
    this.#compilers.set(direction, ajv);
    return ajv;
  }
}

// The package is CommonJS, and its types declare a default export that Node.js does not provide.
const addFormats: FormatsPlugin = createRequire(import.meta.url)("ajv-formats");

const nothing: BodyCheck = (body) =>
  body === undefined || body === "" ? [] : ["/: there should be no body"];

function describe({ instancePath, message = "is wrong", params }: ErrorObject): string {
  const detail = Object.values(params).map(String).join(", ");
  return `${instancePath || "/"}: ${message}${detail === "" ? "" : ` (${detail})`}`;
}
