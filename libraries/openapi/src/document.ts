/** The subset of OpenAPI 2.0 and Azure's extensions that ARM API documents use. */
export interface OpenApiDocument {
  readonly swagger: string;
  readonly info: { readonly title: string; readonly version: string; readonly description?: string };
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly definitions: Readonly<Record<string, Schema>>;
  readonly parameters?: Readonly<Record<string, Parameter>>;
}

type PathItem = Readonly<Record<string, Operation>>;

export interface Operation {
  readonly operationId: string;
  readonly description?: string;
  readonly parameters?: readonly Parameter[];
  /** Responses by status code. `default` is the error response. */
  readonly responses: Readonly<Record<string, ResponseSpec>>;
  readonly "x-ms-examples"?: Readonly<Record<string, { readonly $ref: string }>>;
  readonly "x-ms-pageable"?: { readonly nextLinkName?: string };
  readonly "x-ms-long-running-operation"?: boolean;
}

/** Parameter, or a reference to a parameter. A reference has only `$ref`. A parameter always has a name and a location. */
export interface Parameter extends Schema {
  readonly name?: string;
  readonly in?: string;
  readonly schema?: Schema;
  /** Place of the parameter in generated clients: in the method or in the client object. */
  readonly "x-ms-parameter-location"?: "method" | "client";
}

export interface ResponseSpec {
  readonly description?: string;
  readonly schema?: Schema;
  readonly headers?: Readonly<Record<string, Schema>>;
}

export interface Schema {
  readonly $ref?: string;
  readonly description?: string;
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  /** Names of the required properties of a schema. For a parameter, true if the parameter is required. */
  readonly required?: readonly string[] | boolean;
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly allOf?: readonly Schema[];
  readonly readOnly?: boolean;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly "x-nullable"?: boolean;
  readonly "x-ms-secret"?: boolean;
  /** True if generated clients expose the properties of this object in its parent object. */
  readonly "x-ms-client-flatten"?: boolean;
  readonly "x-ms-enum"?: { readonly name?: string; readonly modelAsString?: boolean };
  readonly "x-ms-mutability"?: readonly string[];
}

/** Returns every operation of a document with its path and its method in lower case. */
export function operationsOf(
  document: OpenApiDocument,
): { readonly path: string; readonly method: string; readonly operation: Operation }[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
  );
}
