import { adminVersion, findApiVersion } from "@keelson/model";
import type { OpenApiDocument } from "@keelson/openapi";
import { administratorsMaterial } from "./administrators-examples.ts";
import { customersMaterial } from "./customers-examples.ts";
import { examplesOf } from "./examples.ts";
import { pythonModules } from "./python-modules.ts";
import { typescriptModules } from "./typescript-modules.ts";

const pythonDirectory = "clients/python/src/keelson/mgmt/redhatopenshift";

/** Directories in which every file is generated. */
export const generatedDirectories = ["swagger", "clients/typescript/src/versions", `${pythonDirectory}/v*`];

/** Path of a version's document, relative to the root. */
function documentFile(version: string): string {
  if (version === adminVersion.name) return `swagger/${version}/redhatopenshift.json`;
  return `swagger/${version.endsWith("-preview") ? "preview" : "stable"}/${version}/redhatopenshift.json`;
}

/** Generates the documents and all files derived from them. Returns contents by path relative to the root. */
export function generatedFiles(documents: readonly OpenApiDocument[]): ReadonlyMap<string, string> {
  // Administrators sign in with certificates, which the clients of Azure's SDKs do not.
  const customers = documents.filter(({ info }) => info.version !== adminVersion.name);
  const modules = [...typescriptModules(customers)].map(([version, text]): [string, string] => [
    `clients/typescript/src/versions/${version}.ts`,
    text,
  ]);
  const python = [...pythonModules(customers)].map(([file, text]): [string, string] => [
    `${pythonDirectory}/${file}`,
    text,
  ]);
  return new Map([...documents.flatMap(filesOf), ...modules, ...python]);
}

function filesOf(document: OpenApiDocument): [string, string][] {
  const { version } = document.info;
  const file = documentFile(version);
  const examples = examplesOf(document, materialOf(version)).map((example): [string, string] => [
    file.replace("redhatopenshift.json", `examples/${example.operationId}.json`),
    json(example),
  ]);
  return [[file, json(document)], ...examples];
}

function materialOf(version: string) {
  if (version === adminVersion.name) return administratorsMaterial();
  const model = findApiVersion(version);
  if (!model) throw new Error(`api/ has a version ${version} that the service does not serve`);
  return customersMaterial(model);
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
