import { messageOf } from "@keelson/base";
import type { Condition } from "@keelson/controller";
import { parseSemanticVersion, type SemanticVersion } from "./semantic-version.ts";

export interface NodeKubelet {
  readonly node: string;
  /** Version in the format of the node's status, for example `v1.32.9`. */
  readonly version: string;
}

export interface SkewVersions {
  /** Version of OpenShift, for example `4.19.24`. */
  readonly openShift: string;
  /** Version of the API server, for example `1.32.9`. */
  readonly apiServer: string;
}

const type = "KubeletMinorVersionUpgradeable";

/** Returns the maximum difference in minor versions between the API server and an older kubelet. */
function allowedLag(major: number, minor: number): number {
  if (major === 4) return minor % 2 === 0 ? 2 : 1;
  return 1 + (minor % 3);
}

/** Returns the Upgradeable condition for the kubelet versions. The most severe finding determines the status of the condition. */
export function kubeletSkew(kubelets: readonly NodeKubelet[], versions: SkewVersions): Condition {
  const { major, minor } = parseSemanticVersion(versions.openShift);
  const apiServer = parseSemanticVersion(versions.apiServer).minor;
  const lag = allowedLag(major, minor);
  const nextLag = allowedLag(major, minor + 1);
  let unknownBecause = "";
  const found: Record<"tooOld" | "ahead" | "unknown" | "tooOldNext" | "behind", NodeKubelet[]> = {
    tooOld: [],
    ahead: [],
    unknown: [],
    tooOldNext: [],
    behind: [],
  };
  for (const kubelet of kubelets.toSorted((a, b) => (a.node < b.node ? -1 : 1))) {
    let version: SemanticVersion;
    try {
      version = parseSemanticVersion(kubelet.version.replace(/^v/, ""));
    } catch (error) {
      unknownBecause = messageOf(error);
      found.unknown.push(kubelet);
      continue;
    }
    const behind = apiServer - version.minor;
    if (behind === 0) continue;
    if (behind > lag) found.tooOld.push(kubelet);
    else if (behind + 1 > nextLag) found.tooOldNext.push(kubelet);
    else if (behind > 0) found.behind.push(kubelet);
    else found.ahead.push(kubelet);
  }
  const target = `the target API server version (${versions.apiServer})`;
  const { tooOld, ahead, unknown, tooOldNext, behind } = found;
  const [one = { node: "", version: "" }] = unknown;
  if (tooOld.length > 0)
    return condition(
      "False",
      "KubeletMinorVersionUnsupported",
      subject("Unsupported Kubelet version", tooOld, "is", "are"),
      `too far behind ${target}.`,
    );
  if (ahead.length > 0)
    return condition(
      "Unknown",
      "KubeletMinorVersionAhead",
      subject("Unsupported Kubelet version", ahead, "is", "are"),
      `ahead of ${target}.`,
    );
  if (unknown.length === 1)
    return condition(
      "Unknown",
      "KubeletVersionUnknown",
      `Unable to determine the kubelet version on node ${one.node}:`,
      unknownBecause,
    );
  if (unknown.length > 1)
    return condition(
      "Unknown",
      "KubeletVersionUnknown",
      `Unable to determine the kubelet version on ${nodesOf(unknown)}.`,
    );
  if (tooOldNext.length > 0)
    return condition(
      "False",
      "KubeletMinorVersionUnsupportedNextUpgrade",
      subject("Kubelet version", tooOldNext, "will", "will"),
      "not be supported in the next OpenShift version upgrade.",
    );
  if (behind.length > 0)
    return condition(
      "True",
      "KubeletMinorVersionSupportedNextUpgrade",
      subject("Kubelet version", behind, "is", "are"),
      `behind the expected API server version; nevertheless, ${behind.length === 1 ? "it" : "they"} will continue to be supported in the next OpenShift version upgrade.`,
    );
  return condition("True", "KubeletMinorVersionsSynced", "Kubelet and API server versions are synced.");
}

function condition(status: Condition["status"], reason: string, ...message: readonly string[]): Condition {
  return { type, status, reason, message: message.join(" ") };
}

function subject(what: string, kubelets: readonly NodeKubelet[], singular: string, plural: string): string {
  const [first] = kubelets;
  return kubelets.length === 1
    ? `${what} (${first?.version.replace(/^v/, "")}) on node ${first?.node} ${singular}`
    : `${what}s on ${nodesOf(kubelets)} ${plural}`;
}

/** Returns the names of up to three nodes in one phrase. For more nodes, returns only their number. */
function nodesOf(kubelets: readonly NodeKubelet[]): string {
  const names = kubelets.map(({ node }) => node);
  if (names.length > 3) return `${names.length} nodes`;
  if (names.length === 2) return `nodes ${names.join(" and ")}`;
  return `nodes ${names.slice(0, -1).join(", ")}, and ${names.at(-1)}`;
}
