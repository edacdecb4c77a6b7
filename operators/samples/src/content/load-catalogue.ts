import { join } from "node:path";
import { messageOf } from "@keelson/base";
import type { KubeObject } from "@keelson/kube";
import { architectureFolder } from "./architecture-folder.ts";
import { contentErrors } from "./content-errors.ts";
import { type ContentLimits, contentFiles, contentLimits } from "./content-files.ts";
import type { Finding } from "./finding.ts";
import { type ContentKind, parseContent } from "./parse-content.ts";

/** A finding about a file, whose path is relative to the folder of the architecture. */
export interface ContentProblem extends Finding {
  readonly file: string;
}

export interface Catalogue {
  readonly imageStreams: ReadonlyMap<string, KubeObject>;
  readonly templates: ReadonlyMap<string, KubeObject>;
  readonly problems: readonly ContentProblem[];
}

/**
 * The catalogue of an architecture, from files `<folder>/<architecture>/<any folders>/{imagestreams,templates}/<file>.json`.
 * A file that is wrong is a problem and left out; of two with one name the last in the order of paths counts.
 * @throws ContentUnreadable when the folder cannot be read or holds no such file
 */
export async function loadCatalogue(
  folder: string,
  architecture: string,
  signal: AbortSignal,
  limits: ContentLimits = contentLimits,
): Promise<Catalogue> {
  const name = architectureFolder(architecture);
  if (name === undefined)
    throw contentErrors.ContentUnreadable(`there is no catalogue for the architecture "${architecture}"`);
  return readCatalogue(join(folder, name), signal, limits);
}

/** As `loadCatalogue`, of the folder that holds one architecture. @throws ContentUnreadable */
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
    throw contentErrors.ContentUnreadable(`the catalogue ${root} holds no imagestream and no template`);
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
