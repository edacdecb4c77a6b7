import { isPlainObject, listAt, stringAt } from "@keelson/base";
import { errors } from "../base/errors.ts";
import { stringMapAt } from "../base/fields.ts";

/** Release that is available as an update. */
export interface Release extends ReleaseMetadata {
  readonly version: string;
  /** Pull specification of the release image. */
  readonly image: string;
}

/** Data of the update service about a release. */
export interface ReleaseMetadata {
  readonly channels?: readonly string[];
  readonly url?: string;
}

/** Update graph in the format of the update service (Cincinnati's `nodes` and `edges`). */
export interface UpdateGraph {
  readonly nodes: readonly {
    readonly version: string;
    readonly payload: string;
    readonly metadata: Readonly<Record<string, string>>;
  }[];
  /** Allowed updates as pairs of indexes in `nodes`: source and target. */
  readonly edges: readonly (readonly [number, number])[];
}

/** @throws InvalidUpdateGraph */
export function parseUpdateGraph(value: unknown): UpdateGraph {
  if (!isPlainObject(value))
    throw errors.InvalidUpdateGraph("an update graph is an object of nodes and edges");
  const nodes = listAt(value, "nodes").map((node, index) => {
    const version = stringAt(node, "version");
    const payload = stringAt(node, "payload");
    if (!version || !payload)
      throw errors.InvalidUpdateGraph(`nodes[${index}] needs a version and a payload`);
    return { version, payload, metadata: stringMapAt(node, "metadata") };
  });
  const edges = listAt(value, "edges").map((edge, index): readonly [number, number] => {
    const [from, to] = Array.isArray(edge) ? edge : [];
    if (!isNodeIndex(from, nodes.length) || !isNodeIndex(to, nodes.length))
      throw errors.InvalidUpdateGraph(`edges[${index}] must be two indexes of nodes`);
    return [from, to];
  });
  return { nodes, edges };
}

function isNodeIndex(value: unknown, count: number): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value < count;
}

/** Returns the available updates for `version`, newest first. `undefined` if the graph does not contain the version. */
export function successorsIn(
  graph: UpdateGraph,
  version: string,
  channel: string,
): readonly Release[] | undefined {
  const from = graph.nodes.findIndex((node) => node.version === version);
  if (from < 0) return undefined;
  return graph.edges
    .flatMap(([tail, head]) => (tail === from ? (graph.nodes[head] ?? []) : []))
    .map((node): Release => ({ version: node.version, image: node.payload, ...nodeMetadata(node) }))
    .filter(({ channels }) => channels === undefined || channels.includes(channel))
    .toSorted((a, b) => compareVersions(b.version, a.version));
}

/** Returns the metadata of `version`. `undefined` if the graph does not contain the version in the channel. */
export function metadataIn(
  graph: UpdateGraph,
  version: string,
  channel: string,
): ReleaseMetadata | undefined {
  const node = graph.nodes.find((each) => each.version === version);
  const metadata = node && nodeMetadata(node);
  return metadata?.channels === undefined || metadata.channels.includes(channel) ? metadata : undefined;
}

function nodeMetadata({ metadata }: UpdateGraph["nodes"][number]): ReleaseMetadata {
  const channels = (metadata["io.openshift.upgrades.graph.release.channels"] ?? "")
    .split(",")
    .filter((each) => each !== "");
  return { ...(channels.length > 0 ? { channels } : {}), ...(metadata.url ? { url: metadata.url } : {}) };
}

export interface Version {
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
}

/** Parses a version such as `4.19.24`, with an optional pre-release suffix. `undefined` for other strings. */
export function parseVersion(text: string): Version | undefined {
  const match = /^(\d+)\.(\d+)\.(\d+)(?:[-+][0-9A-Za-z.-]+)?$/.exec(text);
  if (!match) return undefined;
  const [major = 0, minor = 0, patch = 0] = match.slice(1).map(Number);
  return { major, minor, patch };
}

/** Compares two versions for sorting. Negative if `a` is older. Invalid versions sort first. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [parseVersion(a), parseVersion(b)];
  if (!left || !right) return Number(left !== undefined) - Number(right !== undefined);
  return left.major - right.major || left.minor - right.minor || left.patch - right.patch;
}
