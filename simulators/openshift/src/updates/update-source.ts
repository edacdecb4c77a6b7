import { createHash } from "node:crypto";
import { parseVersion, type Release, successorsIn, type UpdateGraph } from "./update-graph.ts";

/**
 * The update service of the simulated world. It knows every release there could be, and offers the next patches, and
 * the next minor release on a channel of that, until it is given another graph.
 */
export class UpdateSource {
  #graph: UpdateGraph | undefined;
  readonly #listeners = new Set<() => void>();

  /** What it was programmed with. */
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

  /** What is offered to a cluster, newest first; `undefined` when its version is not in the channel. */
  offers(version: string, channel: string): readonly Release[] | undefined {
    return this.#graph ? successorsIn(this.#graph, version, channel) : plausibleSuccessors(version, channel);
  }
}

/** The first patch of a minor release that updates from the one before lead to. */
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

/** The pull specification of a release; the digest is made up, but always the same for a version. */
export function releaseImage(version: string): string {
  const digest = createHash("sha256").update(version).digest("hex");
  return `quay.io/openshift-release-dev/ocp-release@sha256:${digest}`;
}
