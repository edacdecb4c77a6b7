import { isPlainObject, messageOf, stringAt } from "@keelson/base";
import { parse } from "yaml";
import { contentErrors } from "../content/content-errors.ts";
import { findCheckoutFile, listCheckoutFiles } from "./checkout-file.ts";
import type { ManifestEntry } from "./manifest.ts";
import { matchesName } from "./name-filter.ts";

/** Source of the objects in manifest entries. */
export interface LibrarySource {
  /** Directory of the checkout. */
  readonly checkout: string;
  /**
   * Downloads the document of a location that is a URL. Without this function, the files that the checkout's import script has
   * stored are used.
   */
  readonly download?: (url: string, signal: AbortSignal) => Promise<string>;
}

/** Object of an entry, with the name of its file. */
export interface EntryObject {
  readonly file: string;
  readonly value: unknown;
}

/**
 * Returns the objects of an entry. Lists are expanded to their items.
 * @throws LibraryUnreadable, DownloadFailed
 */
export async function entryObjects(
  entry: ManifestEntry,
  { checkout, download }: LibrarySource,
  imported: string,
  signal: AbortSignal,
): Promise<readonly EntryObject[]> {
  const { location } = entry;
  const isUrl = /^[a-z][a-z0-9+.-]*:\/\//i.test(location);
  if (isUrl && !download) return importedObjects(entry, checkout, imported, signal);
  const text =
    isUrl && download ? await download(location, signal) : await findCheckoutFile(checkout, location, signal);
  if (text === undefined) throw contentErrors.LibraryUnreadable("the checkout does not contain the file");
  return itemsOf(parsed(text))
    .filter((value) => matchesName(entry.regex, nameOf(value)))
    .map((value) => ({ file: fileOf(entry, value), value }));
}

/** Returns the objects that the checkout's import script generated for an entry. */
async function importedObjects(
  entry: ManifestEntry,
  checkout: string,
  imported: string,
  signal: AbortSignal,
): Promise<readonly EntryObject[]> {
  const { document, directory, kind, regex } = entry;
  const path = `${imported}/${document}/${directory}/${kind}`;
  const found: EntryObject[] = [];
  for (const file of await listCheckoutFiles(checkout, path)) {
    if (!file.endsWith(`${suffixOf(entry)}.json`)) continue;
    const value = parsed((await findCheckoutFile(checkout, `${path}/${file}`, signal)) ?? "");
    if (file === fileOf(entry, value) && matchesName(regex, nameOf(value))) found.push({ file, value });
  }
  if (found.length === 0)
    throw contentErrors.LibraryUnreadable(`nothing was imported from there into ${path}: try --download`);
  return found;
}

function parsed(text: string): unknown {
  try {
    // JSON is valid YAML, but the JSON parser preserves numbers exactly and has better error messages.
    return text.trimStart().startsWith("{") ? JSON.parse(text) : parse(text, { maxAliasCount: 100 });
  } catch (cause) {
    throw contentErrors.LibraryUnreadable(`neither JSON nor YAML: ${messageOf(cause)}`, { cause });
  }
}

function itemsOf(value: unknown): readonly unknown[] {
  if (!isPlainObject(value)) return [value];
  const { kind, items } = value;
  return (kind === "List" || kind === "ImageStreamList") && Array.isArray(items) ? items : [value];
}

function nameOf(value: unknown): string {
  return stringAt(value, "metadata", "name") ?? "";
}

function suffixOf({ suffix }: ManifestEntry): string {
  return suffix ? `-${suffix}` : "";
}

function fileOf(entry: ManifestEntry, value: unknown): string {
  return `${nameOf(value)}${suffixOf(entry)}.json`;
}
