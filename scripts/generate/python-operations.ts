import {
  definitionName,
  flatten,
  type OpenApiDocument,
  type Operation,
  type operationsOf,
  resolveParameter,
} from "@keelson/openapi";
import { className, docstring, snakeCase } from "./python-names.ts";

type Known = ReturnType<typeof operationsOf>[number];

/** Kind of the generated client: blocking or asyncio. */
export type Blocking = "sync" | "async";

/** Returns the class name of an operation group in the form of Azure's SDKs. */
export function operationsClass(group: string): string {
  return group === "Operations" ? group : `${group}Operations`;
}

/** Returns the client attribute of an operation group. */
export function operationsAttribute(group: string): string {
  return snakeCase(group);
}

/** Returns the class with the operations of a group. */
export function operationsDeclaration(
  document: OpenApiDocument,
  group: string,
  operations: readonly Known[],
  blocking: Blocking,
): string {
  return `class ${operationsClass(group)}:
    """Use it as the attribute \`${operationsAttribute(group)}\` of a client."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
${operations.map((known) => `\n${method(document, known, blocking)}`).join("")}`;
}

function method(document: OpenApiDocument, known: Known, blocking: Blocking): string {
  const { operation } = known;
  const { prefix, returns, verb, result } = kindOf(document, operation, blocking);
  const parameters = (operation.parameters ?? []).map((parameter) => resolveParameter(document, parameter));
  const inPath = parameters.filter(({ in: place, name }) => place === "path" && name !== "subscriptionId");
  const body = parameters.find((parameter) => parameter.in === "body");
  const bodyModel = body?.schema?.$ref && className(definitionName(body.schema.$ref));
  const declared = [
    "self",
    ...inPath.map(({ name = "" }) => `${snakeCase(name)}: str`),
    ...(bodyModel ? [`parameters: Union[models.${bodyModel}, Mapping[str, Any], IO[bytes]]`] : []),
    "**kwargs: Any",
  ];
  const [, name = ""] = operation.operationId.split("_");
  const awaits = blocking === "async" && verb !== "pages";
  return `    ${awaits ? "async " : ""}def ${prefix}${snakeCase(name)}(
${declared.map((each) => `        ${each},\n`).join("")}    ) -> ${returns}:
${docstring(operation.description, "        ")}        call = Call(
${callArguments(known, inPath)}        )
        answer: ${returns} = ${awaits ? "await " : ""}self._connection.${verb}(call, ${result}, kwargs${bodyModel ? ", parameters" : ""})
        return answer
`;
}

function callArguments(
  { path, method: verb, operation }: Known,
  inPath: readonly { name?: string }[],
): string {
  const values = inPath.map(({ name = "" }) => `${JSON.stringify(name)}: ${snakeCase(name)}`);
  const statuses = Object.keys(operation.responses).filter((status) => status !== "default");
  const responses = statuses.some((status) => operation.responses[status]?.schema !== undefined);
  return [
    JSON.stringify(verb.toUpperCase()),
    JSON.stringify(path),
    `{${values.join(", ")}}`,
    ...(statuses.join() === "200" ? [] : [`expects=(${statuses.join(", ")})`]),
    ...(responses ? [] : ["accepts=False"]),
  ]
    .map((each) => `            ${each},\n`)
    .join("");
}

/** Returns the client method and return type of an operation: pages, a poller or the response. */
function kindOf(document: OpenApiDocument, operation: Operation, blocking: Blocking) {
  const schema = operation.responses["200"]?.schema;
  const response = schema?.$ref ? `models.${className(definitionName(schema.$ref))}` : "None";
  if (operation["x-ms-pageable"] && schema) {
    const { items } = flatten(document, schema).properties.value ?? {};
    const element = `models.${className(definitionName(items?.$ref ?? ""))}`;
    const returns = `${blocking === "async" ? "Async" : ""}ItemPaged[${element}]`;
    return { prefix: "", returns, verb: "pages", result: element };
  }
  if (operation["x-ms-long-running-operation"] === true) {
    const returns = `${blocking === "async" ? "Async" : ""}LROPoller[${response}]`;
    return { prefix: "begin_", returns, verb: "begin", result: response };
  }
  return { prefix: "", returns: response, verb: "call", result: response };
}
