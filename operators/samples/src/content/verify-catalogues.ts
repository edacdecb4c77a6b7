import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { isPlainObject, messageOf } from "@keelson/base";
import type { KubeObject } from "@keelson/kube";
import { architectureDirectories } from "./architecture-directory.ts";
import { contentErrors } from "./content-errors.ts";
import { isElsewhere, meantTag } from "./image-stream-findings.ts";
import { type Catalogue, type ContentProblem, readCatalogue } from "./load-catalogue.ts";
import type { ImageStreamFile } from "./object-schemas.ts";

export interface VerifiedCatalogue {
  readonly directory: string;
  readonly imageStreams: number;
  readonly tags: number;
  readonly templates: number;
  readonly problems: readonly ContentProblem[];
}

/**
 * Checks the catalogues in a directory. The directory contains either one directory per architecture, or a single catalogue.
 * @throws ContentUnreadable if the directory contains no catalogue
 */
export async function verifyCatalogues(
  directory: string,
  signal: AbortSignal,
): Promise<readonly VerifiedCatalogue[]> {
  let names: readonly string[];
  try {
    names = await readdir(directory);
  } catch (cause) {
    throw contentErrors.ContentUnreadable(`${directory} cannot be read: ${messageOf(cause)}`, { cause });
  }
  const architectures = architectureDirectories.filter((each) => names.includes(each));
  const verified: VerifiedCatalogue[] = [];
  for (const each of architectures.length > 0 ? architectures : [""]) {
    const root = join(directory, each);
    verified.push(summaryOf(root, await readCatalogue(root, signal)));
  }
  return verified;
}

function summaryOf(directory: string, catalogue: Catalogue): VerifiedCatalogue {
  const { imageStreams, templates, problems } = catalogue;
  return {
    directory,
    imageStreams: imageStreams.size,
    tags: [...imageStreams.values()].reduce((sum, stream) => sum + tagsOf(stream).length, 0),
    templates: templates.size,
    problems: [...problems, ...missingElsewhere(catalogue)],
  };
}

/** Returns a problem for each tag that refers to a missing tag in a different stream of the catalogue. */
function missingElsewhere({ imageStreams }: Catalogue): readonly ContentProblem[] {
  return [...imageStreams.values()].flatMap((stream) =>
    tagsOf(stream).flatMap((tag) => {
      const { name } = stream.metadata;
      const meant = meantTag(tag);
      const { namespace = "openshift" } = tag.from;
      if (!meant || !isElsewhere(name, tag) || namespace !== "openshift") return [];
      const other = imageStreams.get(meant.stream || name);
      if (other && tagsOf(other).some((each) => each.name === meant.tag)) return [];
      const message = `the catalogue has no tag ${tag.from.name}, which ${name}:${tag.name} means`;
      return [{ file: `imagestream ${name}`, severity: "warning", message } as const];
    }),
  );
}

function tagsOf({ spec }: KubeObject): NonNullable<ImageStreamFile["spec"]["tags"]> {
  return isPlainObject(spec) && Array.isArray(spec.tags) ? spec.tags : [];
}
