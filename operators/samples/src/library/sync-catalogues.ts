import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { architectureDirectories, architectureDirectory } from "../content/architecture-directory.ts";
import { contentErrors } from "../content/content-errors.ts";
import { type Catalogue, type ContentProblem, readCatalogue } from "../content/load-catalogue.ts";
import { buildCatalogue, type Distribution, readManifests } from "./build-catalogue.ts";
import { clone } from "./clone.ts";
import { download } from "./download.ts";
import { writeCatalogue } from "./write-catalogue.ts";

export interface SyncOptions {
  /** Checkout directory or repository URL of openshift/library. */
  readonly from: string;
  /** Parent directory of the catalogue directories. */
  readonly to: string;
  readonly architectures: readonly string[];
  readonly distribution: Distribution;
  /** True to download locations that are URLs. False to use the files that the import script has stored in the checkout. */
  readonly download: boolean;
  readonly allowPrivateAddresses: boolean;
  readonly environment: NodeJS.ProcessEnv;
}

export interface SyncedCatalogue {
  readonly architecture: string;
  readonly directory: string;
  readonly imageStreams: number;
  readonly templates: number;
  readonly problems: readonly ContentProblem[];
}

/**
 * Builds catalogues from openshift/library and replaces the existing ones. Invalid entries are reported in `problems`.
 * @throws LibraryUnreadable, DownloadFailed
 */
export async function syncCatalogues(
  options: SyncOptions,
  signal: AbortSignal,
): Promise<readonly SyncedCatalogue[]> {
  const directories = options.architectures.map((each) => {
    const directory = architectureDirectory(each) ?? architectureDirectories.find((known) => known === each);
    if (directory === undefined)
      throw contentErrors.LibraryUnreadable(
        `the architecture "${each}" is not known: use ${architectureDirectories.join(", ")}`,
      );
    return directory;
  });
  await using cloned = /^[a-z][a-z0-9+.-]*:\/\//i.test(options.from)
    ? await clone(options.from, options, signal)
    : undefined;
  const checkout = cloned?.directory ?? options.from;
  const entries = await readManifests(checkout, signal);
  const texts = new Map<string, Promise<string>>();
  const source = {
    checkout,
    ...(options.download
      ? {
          // Several architectures share most locations, so the result of each download is reused.
          download: (url: string) => {
            const text = texts.get(url) ?? download(url, options, signal);
            texts.set(url, text);
            return text;
          },
        }
      : {}),
  };
  const synced: SyncedCatalogue[] = [];
  for (const architecture of [...new Set(directories)]) {
    const { distribution } = options;
    const { files, problems } = await buildCatalogue(entries, source, { distribution, architecture }, signal);
    if (files.size === 0)
      throw contentErrors.LibraryUnreadable(
        `${options.from} has nothing for ${distribution} on ${architecture}${problems[0] ? `: ${problems[0].file}: ${problems[0].message}` : ""}`,
      );
    const directory = join(options.to, architecture);
    const built = await readBuilt(files, signal);
    await writeCatalogue(directory, files, signal);
    synced.push({
      architecture,
      directory,
      imageStreams: built.imageStreams.size,
      templates: built.templates.size,
      problems: [...problems, ...built.problems.filter(({ severity }) => severity === "error")],
    });
  }
  return synced;
}

/** Loads a catalogue from the given files. Loading them detects duplicate names. */
async function readBuilt(files: ReadonlyMap<string, string>, signal: AbortSignal): Promise<Catalogue> {
  const directory = await mkdtemp(join(tmpdir(), "keelson-catalogue-"));
  try {
    await writeCatalogue(join(directory, "catalogue"), files, signal);
    return await readCatalogue(join(directory, "catalogue"), signal);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
