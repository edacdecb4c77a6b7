import { join } from "node:path";
import { messageOf } from "@keelson/base";
import type { KubeObject } from "@keelson/kube";
import { architectureDirectory } from "./architecture-directory.ts";
import { contentErrors } from "./content-errors.ts";
import { type ContentLimits, contentFiles, contentLimits } from "./content-files.ts";
import type { Finding } from "./finding.ts";
import { type ContentKind, parseContent } from "./parse-content.ts";

/** Finding in a file. The path is relative to the directory of the architecture. */
export interface ContentProblem extends Finding {
  readonly file: string;
}

export interface Catalogue {
  readonly imageStreams: ReadonlyMap<string, KubeObject>;
  readonly templates: ReadonlyMap<string, KubeObject>;
  readonly problems: readonly ContentProblem[];
}

/**
 * Loads the catalogue of an architecture from `<folder>/<architecture>/<directories>/{imagestreams,templates}/<file>.json`. An
 * invalid file is omitted and reported as a problem. If two files contain objects with the same name, the file with the path that
 * sorts last takes precedence.
 * @throws ContentUnreadable if the directory cannot be read or has no such file
 */
export async function loadCatalogue(
  directory: string,
  architecture: string,
  signal: AbortSignal,
  limits: ContentLimits = contentLimits,
): Promise<Catalogue> {
  const name = architectureDirectory(architecture);
  if (name === undefined)
    throw contentErrors.ContentUnreadable(`there is no catalogue for the architecture "${architecture}"`);
  return readCatalogue(join(directory, name), signal, limits);
}

/**
 * Loads a catalogue from the directory of a single architecture. In all other respects, it works in the same way as
 * `loadCatalogue`.
 * @throws ContentUnreadable
 */
export async function readCatalogue(
  root: string,
  signal: AbortSignal,
  limits: ContentLimits = contentLimits,
): Promise<Catalogue> {
  const found = { imagestreams: new Map<string, KubeObject>(), templates: new Map<string, KubeObject>() };
  const origins = new Map<string, string>();
  const problems: ContentProblem[] = [];
  let files = 0;
  try {
    for await (const file of contentFiles(root, signal, limits)) {
      files++;
      if ("problem" in file) {
        problems.push({ file: file.path, severity: "error", message: file.problem });
        continue;
      }
      const { object, findings } = parseContent(file.kind, file.text);
      problems.push(...findings.map((finding) => ({ ...finding, file: file.path })));
      if (object) add(file.kind, file.path, object);
    }
  } catch (cause) {
    signal.throwIfAborted();
    throw contentErrors.ContentUnreadable(`the catalogue ${root} cannot be read: ${messageOf(cause)}`, {
      cause,
    });
  }
  if (files === 0)
    throw contentErrors.ContentUnreadable(`the catalogue ${root} contains no imagestream and no template`);
  return { imageStreams: found.imagestreams, templates: found.templates, problems };

  function add(kind: ContentKind, file: string, object: KubeObject): void {
    const { name } = object.metadata;
    const earlier = origins.get(`${kind}/${name}`);
    if (earlier !== undefined)
      problems.push({
        file: earlier,
        severity: "error",
        message: `${file} has the name "${name}" too, and replaces it`,
      });
    origins.set(`${kind}/${name}`, file);
    found[kind].set(name, object);
  }
}
