import { existsSync, globSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { OpenApiDocument } from "./document.ts";
import { errors } from "./errors.ts";
import { readDocument } from "./read-document.ts";

/**
 * Directory of the API documents that `make generate` writes (`<...>/<version>/redhatopenshift.json`). An installed package
 * contains a copy of the repository's directory.
 */
const directory =
  ["../swagger", "../../../swagger"].map((path) => join(import.meta.dirname, path)).find(existsSync) ??
  join(import.meta.dirname, "../../../swagger");

export interface ApiDocument {
  /** Value of `?api-version=`: a date, or `admin`. */
  readonly version: string;
  readonly file: string;
}

/** Returns the documents of this service's API, oldest version first and `admin` last. */
export function listApiDocuments(): readonly ApiDocument[] {
  return globSync("**/redhatopenshift.json", { cwd: directory })
    .map((path) => ({ version: basename(dirname(path)), file: join(directory, path) }))
    .sort((a, b) => (a.version < b.version ? -1 : 1));
}

/** Returns the API document of a version. @throws NotDocumented */
export function findApiDocument(version: string): ApiDocument {
  const all = listApiDocuments();
  const found = all.find((document) => document.version === version);
  if (found) return found;
  const versions = all.map((document) => document.version).join(", ");
  throw errors.NotDocumented(`there is no document of the API version ${version}: there are ${versions}`);
}

/** Returns the document of an API version. @throws NotDocumented */
export function readApiDocument(version: string): OpenApiDocument {
  return readDocument(findApiDocument(version).file);
}
