import {
  definitionName,
  flatten,
  type OpenApiDocument,
  type Operation,
  type operationsOf,
  resolveParameter,
} from "@keelson/openapi";
import {
  modelsOfOperations,
  type OperationSet,
  ownOperations,
  type SharedOperation,
} from "./operation-sets.ts";
import { className, docstring, packageName, snakeCase } from "./python-names.ts";

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

/** Returns a method of the class that versions share. Models are type parameters. */
export function sharedOperation(
  document: OpenApiDocument,
  known: Known,
  blocking: Blocking,
): SharedOperation {
  const { operation } = known;
  const { prefix, model, returns, verb } = kindOf(document, operation, blocking);
  const parameters = (operation.parameters ?? []).map((parameter) => resolveParameter(document, parameter));
  const inPath = parameters.filter(({ in: place, name }) => place === "path" && name !== "subscriptionId");
  const body = parameters.find((parameter) => parameter.in === "body");
  const bodyModel = body?.schema?.$ref && className(definitionName(body.schema.$ref));
  const declared = [
    "self",
    ...inPath.map(({ name = "" }) => `${snakeCase(name)}: str`),
    ...(bodyModel ? [`parameters: Union[${bodyModel}, Mapping[str, Any], IO[bytes]]`] : []),
    "**kwargs: Any",
  ];
  const [, name = ""] = operation.operationId.split("_");
  const awaits = blocking === "async" && verb !== "pages";
  const result = model ? `self._models.${model}` : "None";
  const source = `    ${awaits ? "async " : ""}def ${prefix}${snakeCase(name)}(
${declared.map((each) => `        ${each},\n`).join("")}    ) -> ${returns}:
${docstring(operation.description, "        ")}        call = Call(
${callArguments(known, inPath)}        )
        answer: ${returns} = ${awaits ? "await " : ""}self._connection.${verb}(call, ${result}, kwargs${bodyModel ? ", parameters" : ""})
        return answer
`;
  return { source, models: [model, bodyModel].filter((each) => each !== undefined) };
}

/** Returns the module with the classes that versions share. */
export function sharedOperationsModule(sets: readonly OperationSet[], blocking: Blocking): string {
  const [paging, poller, up] =
    blocking === "sync"
      ? ["paging import ItemPaged", "LROPoller", "."]
      : ["async_paging import AsyncItemPaged", "AsyncLROPoller", ".."];
  const variables = modelsOfOperations(sets.flatMap(({ operations }) => operations)).map(
    (model) => `${model} = TypeVar("${model}", bound=Model)\n`,
  );
  return `from __future__ import annotations

from collections.abc import Mapping
from typing import IO, Any, Generic, TypeVar, Union

from azure.core.${paging}
from azure.core.polling import ${poller}

from ._connection import Connection
from ${up}_model import Model
from ${up}_requests import Call

${variables.join("")}

class _Operations:
    _models: Any

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
${sets.map((set) => `\n\n${sharedClass(set)}`).join("")}`;
}

function sharedClass(set: OperationSet): string {
  const { base, operations } = set;
  const parameters = modelsOfOperations(operations).join(", ");
  const inherited = base
    ? `${sharedClassName(base)}[${modelsOfOperations(base.operations).join(", ")}]`
    : "_Operations";
  return `class ${sharedClassName(set)}(${inherited}, Generic[${parameters}]):
${ownOperations(set)
  .map(({ source }) => source)
  .join("\n")}`;
}

function sharedClassName({ group, since }: OperationSet): string {
  return `${className(group)}_${packageName(since)}`;
}

/** Returns the class with the operations of a group in one version. */
export function operationsDeclaration(set: OperationSet): string {
  const { group, operations } = set;
  const models = modelsOfOperations(operations).map((model) => `        models.${model},\n`);
  return `class ${operationsClass(group)}(
    _operations.${sharedClassName(set)}[
${models.join("")}    ]
):
    """Use it as the attribute \`${operationsAttribute(group)}\` of a client."""

    _models = models
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

/** Returns the client method, model and return type of an operation: pages, a poller or the response. */
function kindOf(document: OpenApiDocument, operation: Operation, blocking: Blocking) {
  const schema = operation.responses["200"]?.schema;
  const model = schema?.$ref && className(definitionName(schema.$ref));
  const async = blocking === "async" ? "Async" : "";
  if (operation["x-ms-pageable"] && schema) {
    const { items } = flatten(document, schema).properties.value ?? {};
    const element = className(definitionName(items?.$ref ?? ""));
    return { prefix: "", model: element, returns: `${async}ItemPaged[${element}]`, verb: "pages" };
  }
  if (operation["x-ms-long-running-operation"] === true) {
    return { prefix: "begin_", model, returns: `${async}LROPoller[${model ?? "None"}]`, verb: "begin" };
  }
  return { prefix: "", model, returns: model ?? "None", verb: "call" };
}
