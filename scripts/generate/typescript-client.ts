import {
  definitionName,
  flatten,
  type OpenApiDocument,
  type Operation,
  operationsOf,
  type Parameter,
  resolveParameter,
  type Schema,
} from "@keelson/openapi";
import {
  modelsOfOperations,
  type OperationSet,
  ownOperations,
  type SharedOperation,
} from "./operation-sets.ts";
import { typeExpression, words } from "./typescript-types.ts";

type Known = ReturnType<typeof operationsOf>[number];

/** Groups operations by the first half of the operation ID. */
export function groupsOf(document: OpenApiDocument): ReadonlyMap<string, readonly Known[]> {
  return Map.groupBy(operationsOf(document), ({ operation }) => halves(operation)[0]);
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

/** Returns a method of the class that versions share. Models are type parameters. */
export function sharedOperation(
  document: OpenApiDocument,
  { path, method: verb, operation }: Known,
): SharedOperation {
  const { inPath, body } = parametersOf(document, operation);
  const names = inPath.map(({ name }) => name ?? "");
  const declared = [
    ...names.map((name) => `${name}: string`),
    ...bodyParameter(body),
    "options: OperationOptions = {}",
  ];
  const { result, call, model } = kindOf(document, operation);
  const [, method] = halves(operation);
  const request = [
    `method: "${verb.toUpperCase()}"`,
    `path: "${path}"`,
    `parameters: { ${names.join(", ")} }`.replace("{  }", "{}"),
    ...(body?.schema ? ["body", `sends: this.sends.${method}`] : []),
  ];
  const source = `${words(operation.description, "  ")}  ${method}(${declared.join(", ")}): ${result} {
    return this.connection.${call}({
${[...request, "options"].map((line) => `      ${line},\n`).join("")}    });
  }
`;
  return { source, models: [model, body?.schema].flatMap((schema) => referredModels(schema)) };
}

function referredModels(schema: Schema | undefined): readonly string[] {
  return schema?.$ref === undefined ? [] : [definitionName(schema.$ref)];
}

/** Returns the module with the classes that versions share. */
export function sharedOperationsModule(sets: readonly OperationSet[]): string {
  return `import type {
  ArmConnection,
  OperationOptions,
  OperationState,
  PagedAsyncIterableIterator,
  PollerLike,
} from "../../connection/arm-connection.ts";
import type { BodyMembers } from "../../connection/body-members.ts";

abstract class Operations {
  protected readonly connection: ArmConnection;

  constructor(connection: ArmConnection) {
    this.connection = connection;
  }
}
${sets.map((set) => `\n${sharedClass(set)}`).join("")}`;
}

function sharedClass(set: OperationSet): string {
  const { base, operations } = set;
  const own = ownOperations(set).map(({ source }) => source);
  const bodies = operations.flatMap(({ source }) => /this\.sends\.(\w+)/.exec(source)?.[1] ?? []);
  const sends = own.some((source) => source.includes("this.sends."))
    ? `  protected abstract readonly sends: Readonly<Record<${bodies.map((name) => `"${name}"`).join(" | ")}, BodyMembers>>;\n\n`
    : "";
  return `export abstract class ${withModels(set)} extends ${base ? withModels(base) : "Operations"} {
${sends}${own.join("\n")}}
`;
}

function withModels(set: OperationSet): string {
  return `${sharedClassName(set)}<${modelsOfOperations(set.operations).join(", ")}>`;
}

function sharedClassName({ group, since }: OperationSet): string {
  return `${group}_${since.replaceAll("-", "_")}`;
}

/** Returns the class with the operations of a group in one version. */
export function groupClass(
  document: OpenApiDocument,
  name: string,
  set: OperationSet,
  operations: readonly Known[],
): string {
  const sends = operations.flatMap(({ operation }) => {
    const { body } = parametersOf(document, operation);
    return body?.schema ? [`    ${halves(operation)[1]}: ${bodyMembers(document, body.schema)},\n`] : [];
  });
  const body = sends.length > 0 ? `{\n  protected readonly sends = {\n${sends.join("")}  };\n}` : "{}";
  return `export class ${name} extends shared.${withModels(set)} ${body}\n`;
}

function parametersOf(document: OpenApiDocument, operation: Operation) {
  const parameters = (operation.parameters ?? []).map((parameter) => resolveParameter(document, parameter));
  return {
    inPath: parameters.filter(({ in: place, name }) => place === "path" && name !== "subscriptionId"),
    body: parameters.find((parameter) => parameter.in === "body"),
  };
}

function bodyParameter(body: Parameter | undefined): readonly string[] {
  return body?.schema ? [`body: ${typeExpression(body.schema)}`] : [];
}

/** Returns the client call, return type and model of an operation: pages, a poller or the response. */
function kindOf(document: OpenApiDocument, operation: Operation) {
  const schema = operation.responses["200"]?.schema;
  const response = schema ? typeExpression(schema) : "void";
  if (operation["x-ms-pageable"] && schema) {
    const model = flatten(document, schema).properties.value?.items;
    return { result: `PagedAsyncIterableIterator<${typeExpression(model ?? {})}>`, call: "list", model };
  }
  if (operation["x-ms-long-running-operation"] === true) {
    return { result: `PollerLike<OperationState<${response}>, ${response}>`, call: "begin", model: schema };
  }
  return { result: `Promise<${response}>`, call: "call", model: schema };
}

/**
 * Returns JSON with two lists: the request body properties that the client sends, and the nested read-only properties that the
 * client removes first.
 */
function bodyMembers(document: OpenApiDocument, schema: Schema): string {
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
