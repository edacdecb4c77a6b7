import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { isPlainObject, messageOf, stringAt } from "@keelson/base";
import { parseAllDocuments } from "yaml";

/** Manifest with the name of its file. */
export interface FileManifest {
  readonly file: string;
  readonly content: Record<string, unknown>;
}

/**
 * Returns the YAML and JSON manifests in the given files and directories. Directories are read recursively.
 * @throws Error that names an unreadable file, or two files that contain different manifests of one object
 */
export async function readManifests(paths: readonly string[]): Promise<readonly FileManifest[]> {
  const files = (await Promise.all(paths.map(filesBelow))).flat();
  const manifests = (await Promise.all(files.map(readManifestFile))).flat();
  const first = new Map<string, FileManifest>();
  for (const manifest of manifests) {
    const id = idOf(manifest.content);
    const other = first.get(id);
    if (!other) first.set(id, manifest);
    else if (!isDeepStrictEqual(other.content, manifest.content))
      throw new Error(
        `--rendered-manifest-files disagree about ${id}: ${other.file} and ${manifest.file}; keep one of them`,
      );
  }
  return manifests;
}

export function findManifest(
  manifests: readonly FileManifest[],
  group: string,
  kind: string,
  name?: string,
): FileManifest | undefined {
  return manifests.find(
    ({ content }) =>
      content.kind === kind &&
      stringAt(content, "apiVersion")?.split("/")[0] === group &&
      (name === undefined || stringAt(content, "metadata", "name") === name),
  );
}

/**
 * Returns the single object of a YAML or JSON file.
 * @throws Error that names the file
 */
export async function readObject(file: string): Promise<Record<string, unknown>> {
  const [manifest] = await readManifestFile(file);
  if (!manifest) throw new Error(`${file} contains no object`);
  return manifest.content;
}

async function filesBelow(path: string): Promise<readonly string[]> {
  if (!(await stat(path)).isDirectory()) return [path];
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && /\.(ya?ml|json)$/.test(entry.name))
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort();
}

async function readManifestFile(file: string): Promise<readonly FileManifest[]> {
  return parseManifests(file, await readFile(file, "utf8"));
}

/**
 * Parses the manifests of a file.
 * @throws Error that names the file
 */
export function parseManifests(file: string, text: string): readonly FileManifest[] {
  try {
    return parseAllDocuments(text).flatMap((document) => {
      const [error] = document.errors;
      if (error) throw error;
      const content: unknown = document.toJS({ maxAliasCount: 100 });
      return isPlainObject(content) ? { file, content } : [];
    });
  } catch (error) {
    throw new Error(`${file} is neither YAML nor JSON: ${messageOf(error)}`, { cause: error });
  }
}

function idOf(content: Record<string, unknown>): string {
  const { apiVersion, kind } = content;
  const namespace = stringAt(content, "metadata", "namespace");
  const name = stringAt(content, "metadata", "name") ?? "";
  return `${kind}.${apiVersion} ${namespace === undefined ? name : `${namespace}/${name}`}`;
}
