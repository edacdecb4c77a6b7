import {
  flatten,
  type OpenApiDocument,
  type Operation,
  operationsOf,
  type Parameter,
  resolveParameter,
  type Schema,
} from "@keelson/openapi";
import { typeExpression, words } from "./typescript-types.ts";

type Known = ReturnType<typeof operationsOf>[number];

/** Groups operations by class name. The name is the first half of the operation ID. */
export function groupsOf(document: OpenApiDocument): ReadonlyMap<string, readonly Known[]> {
  const groups = Map.groupBy(operationsOf(document), ({ operation }) => halves(operation)[0]);
  return new Map([...groups].map(([name, operations]) => [`${name}Operations`, operations]));
}

/** Returns the client class of an API version. Each operation group is a property. */
export function clientClass({ info }: OpenApiDocument, groups: readonly string[]): string {
  const field = (name: string) => name.charAt(0).toLowerCase() + name.replace(/Operations$/, "").slice(1);
  return `${words(info.description, "")}export class RedHatOpenShiftClient {
${groups.map((name) => `  readonly ${field(name)}: ${name};\n`).join("")}
  constructor(credential: TokenCredential, subscriptionId: string, options: ClientOptions = {}) {
    const connection = new ArmConnection({ ...options, apiVersion, credential, subscriptionId });
${groups.map((name) => `    this.${field(name)} = new ${name}(connection);\n`).join("")}  }
}
`;
}

/** Splits an operation ID. `OpenShiftClusters_Get` becomes `OpenShiftClusters` and `get`. */
function halves({ operationId }: Operation): readonly [group: string, method: string] {
  const [group = "", method = ""] = operationId.split("_");
  return [group, method.charAt(0).toLowerCase() + method.slice(1)];
}

/** Returns the class with the operations of a group. */
export function groupClass(document: OpenApiDocument, name: string, operations: readonly Known[]): string {
  return `export class ${name} {
  readonly #connection: ArmConnection;

  constructor(connection: ArmConnection) {
    this.#connection = connection;
  }
${operations.map((known) => `\n${method(document, known)}`).join("")}}
`;
}

function method(document: OpenApiDocument, { path, method: verb, operation }: Known): string {
  const parameters = (operation.parameters ?? []).map((parameter) => resolveParameter(document, parameter));
  const inPath = parameters.filter(({ in: place, name }) => place === "path" && name !== "subscriptionId");
  const body = parameters.find((parameter) => parameter.in === "body");
  const names = inPath.map(({ name }) => name ?? "");
  const declared = [
    ...names.map((name) => `${name}: string`),
    ...bodyParameter(body),
    "options: OperationOptions = {}",
  ];
  const { result, call } = kindOf(document, operation);
  const request = [
    `method: "${verb.toUpperCase()}"`,
    `path: "${path}"`,
    `parameters: { ${names.join(", ")} }`.replace("{  }", "{}"),
    ...(body?.schema ? ["body", `sends: ${sends(document, body.schema)}`] : []),
  ];
  return `${words(operation.description, "  ")}  ${halves(operation)[1]}(${declared.join(", ")}): ${result} {
    return this.#connection.${call}({
${[...request, "options"].map((line) => `      ${line},\n`).join("")}    });
  }
`;
}

function bodyParameter(body: Parameter | undefined): readonly string[] {
  return body?.schema ? [`body: ${typeExpression(body.schema)}`] : [];
}

/** Returns the client call and return type of an operation: pages, a poller or the response. */
function kindOf(
  document: OpenApiDocument,
  operation: Operation,
): { readonly result: string; readonly call: string } {
  const schema = operation.responses["200"]?.schema;
  const response = schema ? typeExpression(schema) : "void";
  if (operation["x-ms-pageable"] && schema) {
    const element = typeExpression(flatten(document, schema).properties.value?.items ?? {});
    return { result: `PagedAsyncIterableIterator<${element}>`, call: "list" };
  }
  if (operation["x-ms-long-running-operation"] === true) {
    return { result: `PollerLike<OperationState<${response}>, ${response}>`, call: "begin" };
  }
  return { result: `Promise<${response}>`, call: "call" };
}

/**
 * Returns JSON with two lists: the request body properties that the client sends, and the nested read-only properties that the
 * client removes first.
 */
function sends(document: OpenApiDocument, schema: Schema): string {
  const paths = readOnlyPaths(document, schema);
  const members = Object.keys(flatten(document, schema).properties).filter((name) => !paths.includes(name));
  return JSON.stringify({ members, readOnly: paths.filter((path) => path.includes(".")) });
}

/** Returns the paths of read-only properties, for example `properties.ingressProfiles.*.ip`. */
function readOnlyPaths(document: OpenApiDocument, schema: Schema): string[] {
  const { properties, items, additionalProperties } = flatten(document, schema);
  const values = items ?? (typeof additionalProperties === "object" ? additionalProperties : undefined);
  const inner: [string, Schema][] = values ? [["*", values]] : Object.entries(properties);
  return inner.flatMap(([name, member]) => {
    if (flatten(document, member).readOnly === true) return [name];
    return readOnlyPaths(document, member).map((path) => `${name}.${path}`);
  });
}
