import { type OpenApiDocument, operationsOf, reachable } from "@keelson/openapi";
import {
  modelsOfOperations,
  type OperationSet,
  operationSetOf,
  operationSets,
  type VersionGroups,
} from "./operation-sets.ts";
import { modelDeclaration } from "./python-models.ts";
import { className, packageName } from "./python-names.ts";
import {
  type Blocking,
  operationsAttribute,
  operationsClass,
  operationsDeclaration,
  sharedOperation,
  sharedOperationsModule,
} from "./python-operations.ts";
import { type Identified, oldestFirst, VersionHomes } from "./version-homes.ts";

/** Class in a Python module. */
interface Declaration extends Identified {
  readonly name: string;
  readonly text: string;
}

const origin = "# Made by `make generate` from api/, where changes belong.\n";

/**
 * Generates a Python package for each document, and modules that export the newest stable version. Returns the contents by path.
 * Declarations that did not change since an older version are imported from that version's package.
 */
export function pythonModules(documents: readonly OpenApiDocument[]): ReadonlyMap<string, string> {
  const [models, sync, async] = [new VersionHomes(), new VersionHomes(), new VersionHomes()];
  const modules = new Map<string, string>();
  const versions = oldestFirst(documents);
  const shared = {
    sync: operationsByVersion(versions, "sync"),
    async: operationsByVersion(versions, "async"),
  };
  const sets = { sync: operationSets(shared.sync), async: operationSets(shared.async) };
  for (const document of versions) {
    const { version } = document.info;
    const directory = packageName(version);
    const ownModels = modelsOf(document);
    models.add(version, ownModels);
    modules.set(`${directory}/models.py`, modelsModule(ownModels, version, models));
    for (const [blocking, homes, place] of [
      ["sync", sync, ""],
      ["async", async, "aio/"],
    ] as const) {
      const classes = operationsClasses(document, sets[blocking], shared[blocking].get(version));
      homes.add(version, classes);
      modules.set(`${directory}/${place}operations.py`, operationsModule(classes, version, homes, blocking));
      modules.set(`${directory}/${place}__init__.py`, clientModule(document, blocking));
    }
  }
  const names = versions.map(({ info }) => info.version);
  const newest = names.findLast((name) => !name.endsWith("-preview")) ?? names.at(-1) ?? "";
  return new Map([
    ...modules,
    ...newestModules(newest),
    ["_api_versions.py", versionsModule(names)],
    ["_operations.py", origin + sharedOperationsModule(sets.sync, "sync")],
    ["aio/_operations.py", origin + sharedOperationsModule(sets.async, "async")],
  ]);
}

function modelsOf(document: OpenApiDocument): readonly Declaration[] {
  const { definitions } = document;
  const texts = new Map(Object.keys(definitions).map((name) => [name, modelDeclaration(document, name)]));
  const declared = [...texts].filter(([, text]) => text !== "");
  return inOrder(
    declared.map(([name, text]) => ({
      name: className(name),
      text,
      identity: identityOf(definitions, name, texts),
    })),
  );
}

/** Sorts classes so that base classes precede their subclasses. */
function inOrder(declarations: readonly Declaration[]): readonly Declaration[] {
  const base = ({ text }: Declaration) => /^class \w+\((\w+)\)/.exec(text)?.[1];
  const depth = (declaration: Declaration): number => {
    const parent = declarations.find(({ name }) => name === base(declaration));
    return parent ? depth(parent) + 1 : 0;
  };
  return declarations.toSorted((a, b) => depth(a) - depth(b));
}

function identityOf(
  definitions: OpenApiDocument["definitions"],
  name: string,
  texts: ReadonlyMap<string, string>,
): string {
  const needed = [...reachable(definitions[name], definitions)].sort();
  // Definitions without a class, such as scalars, affect only the types in a model.
  return [name, texts.get(name), ...needed.map((need) => texts.get(need))].join("\n");
}

function operationsByVersion(
  documents: readonly OpenApiDocument[],
  blocking: Blocking,
): ReadonlyMap<string, VersionGroups> {
  return new Map(
    documents.map((document) => [
      document.info.version,
      new Map(
        [...groupsOf(document)].map(([group, operations]) => [
          group,
          operations.map((known) => sharedOperation(document, known, blocking)),
        ]),
      ),
    ]),
  );
}

function operationsClasses(
  document: OpenApiDocument,
  sets: readonly OperationSet[],
  groups: VersionGroups = new Map(),
): readonly Declaration[] {
  const models = new Map(modelsOf(document).map(({ name, identity }) => [name, identity]));
  return [...groups].flatMap(([group, operations]) => {
    const set = operationSetOf(sets, group, operations);
    if (!set) return [];
    const text = operationsDeclaration(set);
    const needed = modelsOfOperations(operations).map((name) => models.get(name));
    return [{ name: operationsClass(group), text, identity: [text, ...needed].join("\n") }];
  });
}

function groupsOf(document: OpenApiDocument) {
  return Map.groupBy(operationsOf(document), ({ operation }) => operation.operationId.split("_")[0] ?? "");
}

function modelsModule(declarations: readonly Declaration[], version: string, homes: VersionHomes): string {
  const { own, shared } = split(declarations, version, homes, "..", "models");
  const text = own.map((each) => `\n\n${each.text}`).join("");
  const needs = (word: string) => new RegExp(`\\b${word}\\b`).test(text);
  const typing = ["Any", "Optional", "Union", "overload"].filter(needs);
  const runtime = ["Model", "flattened_field", "rest_field"].filter(needs);
  return [
    `${origin}from __future__ import annotations\n\n`,
    needs("Mapping") ? "from collections.abc import Mapping\n" : "",
    needs("datetime") ? "from datetime import datetime\n" : "",
    needs("Enum") ? "from enum import Enum\n" : "",
    typing.length > 0 ? `from typing import ${typing.join(", ")}\n` : "",
    needs("CaseInsensitiveEnumMeta") ? "\nfrom azure.core import CaseInsensitiveEnumMeta\n" : "",
    runtime.length > 0 ? `\nfrom .._model import ${runtime.join(", ")}\n` : "",
    shared,
    exported(declarations),
    text,
  ].join("");
}

function operationsModule(
  declarations: readonly Declaration[],
  version: string,
  homes: VersionHomes,
  blocking: Blocking,
): string {
  const [up, place] = blocking === "sync" ? ["..", ""] : ["...", "aio."];
  const { own, shared } = split(declarations, version, homes, up, `${place}operations`);
  const text = own.map((each) => `\n\n${each.text}`).join("");
  const imports = `\nfrom ${up}${place.replace(".", "")} import _operations\nfrom ${up.slice(1)} import models\n`;
  return [
    `${origin}from __future__ import annotations\n`,
    own.length > 0 ? imports : "\n",
    shared,
    exported(declarations),
    text,
  ].join("");
}

/** Splits declarations into the module's own declarations and imports from older versions. */
function split(
  declarations: readonly Declaration[],
  version: string,
  homes: VersionHomes,
  up: string,
  module: string,
): { readonly own: readonly Declaration[]; readonly shared: string } {
  const byHome = Map.groupBy(declarations, (each) => homes.of(each, version));
  const own = byHome.get(version) ?? [];
  byHome.delete(version);
  const shared = [...byHome].map(
    ([home, theirs]) => `from ${up}${packageName(home)}.${module} import (\n${listed(theirs)})\n`,
  );
  return { own, shared: shared.join("") };
}

function listed(declarations: readonly Declaration[]): string {
  return declarations
    .map(({ name }) => `    ${name},\n`)
    .sort()
    .join("");
}

function exported(declarations: readonly Declaration[]): string {
  const names = declarations.map(({ name }) => name).sort();
  return `\n__all__ = [\n${names.map((name) => `    "${name}",\n`).join("")}]\n`;
}

function clientModule(document: OpenApiDocument, blocking: Blocking): string {
  const { version } = document.info;
  const groups = [...groupsOf(document).keys()];
  const sync = blocking === "sync";
  const base = sync ? "from .._client import Client" : "from ...aio._client import AsyncClient";
  return `${origin}from __future__ import annotations

${base}
from . import operations as _operations

__all__ = ["AzureRedHatOpenShiftClient"]


class AzureRedHatOpenShiftClient(${sync ? "Client" : "AsyncClient"}):
    """Azure Red Hat OpenShift, API version ${version}."""

    _api_version = "${version}"
${groups.map((group) => `    ${operationsAttribute(group)}: _operations.${operationsClass(group)}\n`).join("")}`;
}

/** Returns the modules that export the newest stable version. */
function newestModules(version: string): readonly (readonly [string, string])[] {
  const directory = packageName(version);
  const client = (
    up: string,
    place: string,
  ) => `${origin}"""${place === "" ? "Client." : "Asynchronous client."}

It uses API version ${version} by default. The keyword argument \`api_version\` selects a different version.
"""

from ${up}_version import VERSION as __version__
from ${up}${directory}${place} import AzureRedHatOpenShiftClient

__all__ = ["AzureRedHatOpenShiftClient", "__version__"]
`;
  const all = (up: string, module: string) => `${origin}from ${up}${directory}.${module} import *
from ${up}${directory}.${module} import __all__ as __all__
`;
  return [
    ["__init__.py", client(".", "")],
    ["models.py", all(".", "models")],
    ["operations.py", all(".", "operations")],
    ["aio/__init__.py", client("..", ".aio")],
    ["aio/operations.py", all("..", "aio.operations")],
  ];
}

function versionsModule(versions: readonly string[]): string {
  return `${origin}"""Oldest first."""

API_VERSIONS = (
${versions.map((version) => `    "${version}",\n`).join("")})
`;
}
