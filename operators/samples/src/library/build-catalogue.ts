import { messageOf } from "@keelson/base";
import { contentErrors } from "../content/content-errors.ts";
import type { ContentProblem } from "../content/load-catalogue.ts";
import { checkContent } from "../content/parse-content.ts";
import { findCheckoutFile } from "./checkout-file.ts";
import { entryObjects, type LibrarySource } from "./entry-objects.ts";
import { isFor, type ManifestEntry, parseManifest } from "./manifest.ts";

export type Distribution = "ocp" | "okd";

/** Files of an architecture's catalogue, sorted by path. */
export interface BuiltCatalogue {
  readonly files: ReadonlyMap<string, string>;
  readonly problems: readonly ContentProblem[];
}

/** Names of the manifests. If two manifests contain the same entry, the entry of the later manifest is used. */
const documents = ["community", "official"];

/**
 * Returns the entries of all manifests in a checkout.
 * @throws LibraryUnreadable
 */
export async function readManifests(
  checkout: string,
  signal: AbortSignal,
): Promise<readonly ManifestEntry[]> {
  const texts = await Promise.all(
    documents.map(
      async (document) => [document, await findCheckoutFile(checkout, `${document}.yaml`, signal)] as const,
    ),
  );
  const present = texts.flatMap(([document, text]) =>
    text === undefined ? [] : parseManifest(document, text),
  );
  if (texts.every(([, text]) => text === undefined))
    throw contentErrors.LibraryUnreadable(
      `${checkout} has neither official.yaml nor community.yaml: name a checkout of openshift/library`,
    );
  return present;
}

/**
 * Builds the catalogue of a distribution for an architecture. The output is reproducible. An invalid entry is omitted and
 * reported as a problem.
 */
export async function buildCatalogue(
  entries: readonly ManifestEntry[],
  source: LibrarySource,
  { distribution, architecture }: { readonly distribution: Distribution; readonly architecture: string },
  signal: AbortSignal,
): Promise<BuiltCatalogue> {
  const files = new Map<string, string>();
  const problems: ContentProblem[] = [];
  const imported = `operator/${distribution}-${architecture}`;
  for (const entry of entries) {
    if (!isFor(entry, distribution, architecture)) continue;
    const where = `${entry.document}.yaml: data.${entry.directory}.${entry.kind}: ${entry.location}`;
    try {
      for (const { file, value } of await entryObjects(entry, source, imported, signal)) {
        const { object, findings } = checkContent(entry.kind, value);
        problems.push(...findings.map((finding) => ({ ...finding, file: where })));
        if (object)
          files.set(
            `${entry.directory}/${entry.kind}/${file}`,
            `${JSON.stringify(object, undefined, "\t")}\n`,
          );
      }
    } catch (error) {
      signal.throwIfAborted();
      problems.push({ file: where, severity: "error", message: messageOf(error) });
    }
  }
  return { files: new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1))), problems };
}
