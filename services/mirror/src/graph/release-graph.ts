import { isPlainObject } from "@keelson/base";
import { errors } from "../registry/errors.ts";
import { HttpConnection, headerOf, startOfBody, wholeBody } from "../registry/http-connection.ts";
import {
  formatImageReference,
  type ImageReference,
  parseImageReference,
} from "../registry/image-reference.ts";
import { parseReleaseVersion, type ReleaseVersion } from "./release-version.ts";

/** An OpenShift release: its version, and the image that names all of its images. */
export interface Release {
  readonly version: ReleaseVersion;
  readonly payload: ImageReference;
}

/** Unusable node of the graph, with the reason. */
export interface SkippedNode {
  readonly version: string;
  readonly reason: string;
}

export interface ReleaseGraph {
  readonly releases: readonly Release[];
  readonly skipped: readonly SkippedNode[];
}

/**
 * Source repositories of payloads that are not read from the graph's location: `registry/repository` by
 * `registry/repository`.
 */
export type PayloadRepositories = Readonly<Record<string, string>>;

const contentType = "application/vnd.redhat.cincinnati.graph+json";
const maxBytes = 64 * 1024 * 1024;
const maxNodes = 50_000;

/** Reads a release graph of the Cincinnati protocol. @throws GraphUnusable */
export async function readReleaseGraph(
  url: string,
  options: {
    readonly caPem?: string;
    readonly repositories: PayloadRepositories;
    readonly signal: AbortSignal;
  },
): Promise<ReleaseGraph> {
  const { caPem, repositories, signal } = options;
  await using connection = new HttpConnection(caPem);
  const target = URL.parse(url);
  if (target?.protocol !== "https:") throw errors.GraphUnusable(`the release graph ${url} is no https URL`);
  const response = await connection.send({
    method: "GET",
    url: target,
    headers: { accept: contentType },
    signal,
  });
  const type = (headerOf(response, "content-type") ?? "").split(";")[0]?.trim().toLowerCase();
  if (response.statusCode !== 200 || type !== contentType) {
    await startOfBody(response);
    throw errors.GraphUnusable(
      `the release graph ${url} was answered with status ${response.statusCode}, content type ${type}`,
    );
  }
  const content = await wholeBody(response, maxBytes, `the release graph ${url}`);
  return parseReleaseGraph(content.toString("utf8"), repositories);
}

/**
 * Parses a release graph. Unusable nodes are omitted and reported, because the rest of the graph is valid.
 * @throws GraphUnusable
 */
function parseReleaseGraph(text: string, repositories: PayloadRepositories): ReleaseGraph {
  const nodes = nodesIn(text);
  const releases = new Map<string, Release>();
  const skipped: SkippedNode[] = [];
  for (const node of nodes) {
    const { version, payload } = Object(node);
    const parsed = typeof version === "string" ? parseReleaseVersion(version) : undefined;
    const name = typeof version === "string" ? version.slice(0, 100) : "a node without version";
    if (!parsed) skipped.push({ version: name, reason: "its version is not X.Y.Z" });
    else if (releases.has(parsed.text)) skipped.push({ version: name, reason: "the graph has it twice" });
    else {
      const image = payloadOf(payload, repositories);
      if (typeof image === "string") skipped.push({ version: name, reason: image });
      else releases.set(parsed.text, { version: parsed, payload: image });
    }
  }
  return { releases: [...releases.values()], skipped };
}

function nodesIn(text: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(text);
    if (isPlainObject(value) && Array.isArray(value.nodes) && value.nodes.length <= maxNodes)
      return value.nodes;
  } catch {
    throw errors.GraphUnusable("the release graph is not JSON");
  }
  throw errors.GraphUnusable(`the release graph has no list of at most ${maxNodes} nodes`);
}

/** Returns the image, or the reason why the payload is invalid. */
function payloadOf(value: unknown, repositories: PayloadRepositories): ImageReference | string {
  if (typeof value !== "string") return "it has no payload";
  try {
    const image = parseImageReference(value);
    const elsewhere = repositories[`${image.registry}/${image.repository}`];
    if (elsewhere === undefined) return image;
    const suffix = formatImageReference(image).slice(`${image.registry}/${image.repository}`.length);
    return parseImageReference(`${elsewhere}${suffix}`);
  } catch {
    return `its payload ${JSON.stringify(value.slice(0, 200))} is no image`;
  }
}
