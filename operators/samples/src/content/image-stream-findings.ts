import { error, type Finding, warning } from "./finding.ts";
import { isImageStreamName, isTagName, parseImageReference } from "./image-reference.ts";
import type { ImageStreamFile, ImageStreamFileTag } from "./object-schemas.ts";

/** Returns the problems of an ImageStream: fields that an API server would reject, and tags that cannot resolve to an image. */
export function imageStreamFindings({ metadata, spec }: ImageStreamFile): readonly Finding[] {
  const findings: Finding[] = [];
  const { name } = metadata;
  if (!isImageStreamName(name)) findings.push(error(`metadata.name: ${quoted(name)} names no imagestream`));
  const { dockerImageRepository: repository, tags = [] } = spec;
  if (repository && !parseImageReference(repository))
    findings.push(error(`spec.dockerImageRepository: ${quoted(repository)} names no image repository`));
  const byName = new Map(tags.map((tag) => [tag.name, tag]));
  const seen = new Set<string>();
  for (const [index, tag] of tags.entries()) {
    const field = `spec.tags[${index}]`;
    if (!isTagName(tag.name)) findings.push(error(`${field}.name: ${quoted(tag.name)} names no tag`));
    else if (seen.has(tag.name)) findings.push(error(`${field}.name: ${quoted(tag.name)} is there twice`));
    seen.add(tag.name);
    const found = sourceFinding(name, tag, byName);
    if (found) findings.push({ ...found, message: `${field}.from.name: ${found.message}` });
  }
  return findings;
}

/**
 * Returns the stream and the tag to which a tag refers, or `undefined` if the tag refers to an image. The stream name is empty if
 * the tag refers to a tag of the same stream.
 */
export function meantTag({
  from,
}: ImageStreamFileTag): { readonly stream: string; readonly tag: string } | undefined {
  if (from.kind !== "ImageStreamTag") return undefined;
  const colon = from.name.indexOf(":");
  return colon < 0
    ? { stream: "", tag: from.name }
    : { stream: from.name.slice(0, colon), tag: from.name.slice(colon + 1) };
}

function sourceFinding(
  stream: string,
  tag: ImageStreamFileTag,
  byName: ReadonlyMap<string, ImageStreamFileTag>,
): Finding | undefined {
  const { kind, name } = tag.from;
  if (kind === "DockerImage")
    return parseImageReference(name) ? undefined : error(`${quoted(name)} names no image`);
  if (kind === "ImageStreamImage")
    return /^[^@]+@sha256:[0-9a-f]{64}$/.test(name)
      ? undefined
      : error(`${quoted(name)} is not <stream>@sha256:<digest>`);
  const meant = meantTag(tag);
  if (!meant || !isTagName(meant.tag) || (meant.stream !== "" && !isImageStreamName(meant.stream)))
    return error(`${quoted(name)} is neither <tag> nor <stream>:<tag>`);
  return isElsewhere(stream, tag) ? undefined : ownTagFinding(stream, tag, byName);
}

/** True if a tag refers to a different stream or namespace. */
export function isElsewhere(stream: string, tag: ImageStreamFileTag): boolean {
  const meant = meantTag(tag);
  const { namespace = "" } = tag.from;
  return (namespace !== "" && namespace !== "openshift") || !["", stream].includes(meant?.stream ?? "");
}

/** Follows references between tags of one stream. If a reference is broken, returns its problem. */
function ownTagFinding(
  stream: string,
  tag: ImageStreamFileTag,
  byName: ReadonlyMap<string, ImageStreamFileTag>,
): Finding | undefined {
  const seen = new Set([tag.name]);
  for (let meant = meantTag(tag); meant; ) {
    if (seen.has(meant.tag)) return error(`the tag ${quoted(tag.name)} means itself`);
    seen.add(meant.tag);
    const next = byName.get(meant.tag);
    if (!next) return warning(`the stream has no tag ${quoted(meant.tag)}`);
    if (isElsewhere(stream, next)) return undefined;
    meant = meantTag(next);
  }
  return undefined;
}

function quoted(text: string): string {
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text);
}
