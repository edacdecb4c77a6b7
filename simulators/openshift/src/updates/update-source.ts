import { createHash } from "node:crypto";
import {
  metadataIn,
  parseVersion,
  type Release,
  type ReleaseMetadata,
  successorsIn,
  type UpdateGraph,
} from "./update-graph.ts";

/**
 * Simulated update service. It accepts every release. By default, it offers the next patch releases. If the channel of a cluster
 * belongs to the next minor release, it also offers that minor release. `program` replaces these default offers with an update
 * graph.
 */
export class UpdateSource {
  #graph: UpdateGraph | undefined;
  readonly #listeners = new Set<() => void>();

  /** Configured update graph. `undefined` by default. */
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

  /** Returns the available updates for a version, newest first. `undefined` if the channel does not contain the version. */
  offers(version: string, channel: string): readonly Release[] | undefined {
    return this.#graph ? successorsIn(this.#graph, version, channel) : plausibleSuccessors(version, channel);
  }

  /** Returns the channels and the URL of a version. `undefined` if the channel does not contain the version. */
  metadataOf(version: string, channel: string): ReleaseMetadata | undefined {
    if (this.#graph) return metadataIn(this.#graph, version, channel);
    if (!plausibleSuccessors(version, channel)) return undefined;
    return { channels: channelsOf(version), url: errataUrl(version) };
  }
}

/** First patch release of a minor release that the service offers to clusters of the previous minor release. */
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
  return { version, image: releaseImage(version), channels, url: errataUrl(version) };
}

function errataUrl(version: string): string {
  return `https://access.redhat.com/errata/${version}`;
}

/**
 * Returns the channels that contain a version: those of its minor release and of the next minor release. Only even minor releases
 * have `eus` channels.
 */
function channelsOf(version: string): readonly string[] {
  const { major = 0, minor = 0 } = parseVersion(version) ?? {};
  return ["candidate", "eus", "fast", "stable"].flatMap((prefix) =>
    [minor, minor + 1]
      .filter((each) => prefix !== "eus" || each % 2 === 0)
      .map((each) => `${prefix}-${major}.${each}`),
  );
}

/** Returns the pull specification of a release. Its digest is derived from the version. */
export function releaseImage(version: string): string {
  const digest = createHash("sha256").update(version).digest("hex");
  return `quay.io/openshift-release-dev/ocp-release@sha256:${digest}`;
}
