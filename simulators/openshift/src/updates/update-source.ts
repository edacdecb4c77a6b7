import { createHash } from "node:crypto";
import { parseVersion, type Release, successorsIn, type UpdateGraph } from "./update-graph.ts";

/**
 * Update service of the simulated world. It accepts every release. By default, it offers the next patches
 * and, on a channel of the next minor release, that release. `program` replaces this with a graph.
 */
export class UpdateSource {
  #graph: UpdateGraph | undefined;
  readonly #listeners = new Set<() => void>();

  /** Programmed graph. `undefined` by default. */
  get graph(): UpdateGraph | undefined {
    return this.#graph;
  }

  program(graph: UpdateGraph | undefined): void {
    this.#graph = graph;
    for (const listener of this.#listeners) listener();
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Updates for a cluster, newest first. `undefined` if its version is not in the channel. */
  offers(version: string, channel: string): readonly Release[] | undefined {
    return this.#graph ? successorsIn(this.#graph, version, channel) : plausibleSuccessors(version, channel);
  }
}

/** First patch of a minor release that is offered to clusters of the previous one. */
const firstPatchOfMinor = 24;

function plausibleSuccessors(version: string, channel: string): readonly Release[] | undefined {
  const current = parseVersion(version);
  const [, prefix = "stable", major, minor] = /^([a-z]+)-(\d+)\.(\d+)$/.exec(channel) ?? [];
  if (!current || Number(major) !== current.major || Number(minor) < current.minor) return undefined;
  const { major: own, minor: release, patch } = current;
  const channels = [`${prefix}-${own}.${release}`, `${prefix}-${own}.${release + 1}`];
  const patches = [patch + 2, patch + 1].map((next) => releaseOf(`${own}.${release}.${next}`, channels));
  if (Number(minor) !== release + 1) return patches;
  const next = releaseOf(`${own}.${release + 1}.${firstPatchOfMinor}`, [channel]);
  return [next, ...patches];
}

function releaseOf(version: string, channels: readonly string[]): Release {
  return {
    version,
    image: releaseImage(version),
    channels,
    url: `https://access.redhat.com/errata/${version}`,
  };
}

/** Pull specification of a release. The digest is derived from the version. */
export function releaseImage(version: string): string {
  const digest = createHash("sha256").update(version).digest("hex");
  return `quay.io/openshift-release-dev/ocp-release@sha256:${digest}`;
}
