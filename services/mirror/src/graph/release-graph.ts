import { type Backoff, type Clock, isPlainObject, retry, retryAfterMs } from "@keelson/base";
import { errors } from "../registry/errors.ts";
import { HttpConnection, headerOf, startOfBody, wholeBody } from "../registry/http-connection.ts";
import {
  formatImageReference,
  type ImageReference,
  parseImageReference,
} from "../registry/image-reference.ts";
import { delayBeforeRetry } from "../registry/registry.ts";
import { RegistryError } from "../registry/registry-error.ts";
import { parseReleaseVersion, type ReleaseVersion } from "./release-version.ts";

/** OpenShift release: a version and its payload image, which lists all images of the release. */
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
 * Replacement source repositories for payload images. The key is the repository in the graph. Key and value have the form
 * `registry/repository`.
 */
export type PayloadRepositories = Readonly<Record<string, string>>;

const contentType = "application/vnd.redhat.cincinnati.graph+json";
const maxBytes = 64 * 1024 * 1024;
const maxNodes = 50_000;

export interface ReadGraphOptions {
  readonly caPem?: string;
  readonly repositories: PayloadRepositories;
  readonly attempts: Backoff;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/**
 * Reads a release graph (Cincinnati protocol). Failed connections and statuses 429 and 5xx are retried.
 * @throws GraphUnusable; RegistryError RegistryUnavailable after the last attempt
 */
export async function readReleaseGraph(url: string, options: ReadGraphOptions): Promise<ReleaseGraph> {
  const { caPem, repositories, attempts: policy, clock, signal } = options;
  await using connection = new HttpConnection(caPem, "graph.caFile");
  const target = URL.parse(url);
  if (target?.protocol !== "https:") throw errors.GraphUnusable(`the release graph ${url} is no https URL`);
  const read = () => requestGraph(connection, target, clock, signal);
  const text = await retry(read, { policy, clock, signal, decide: delayBeforeRetry });
  return parseReleaseGraph(text, repositories);
}

async function requestGraph(
  connection: HttpConnection,
  url: URL,
  clock: Clock,
  signal: AbortSignal,
): Promise<string> {
  const response = await connection.send({ method: "GET", url, headers: { accept: contentType }, signal });
  const { statusCode } = response;
  if (statusCode === 429 || statusCode >= 500) {
    await startOfBody(response);
    throw new RegistryError(statusCode, `the release graph ${url} was answered with status ${statusCode}`, {
      retryAfterMs: retryAfterMs(headerOf(response, "retry-after"), clock.now()),
    });
  }
  const type = (headerOf(response, "content-type") ?? "").split(";")[0]?.trim().toLowerCase();
  if (response.statusCode !== 200 || type !== contentType) {
    await startOfBody(response);
    throw errors.GraphUnusable(
      `the release graph ${url} was answered with status ${response.statusCode}, content type ${type}`,
    );
  }
  const content = await wholeBody(response, maxBytes, `the release graph ${url}`);
  return content.toString("utf8");
}

/** Parses a release graph. Unusable nodes are skipped and reported. @throws GraphUnusable */
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

/** Returns the payload image, or the reason why the payload is invalid. */
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
