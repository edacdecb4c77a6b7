/** Parts of the URL of a request with a portal kubeconfig. */
export interface ProxyPath {
  /** Lower-case resource ID of the cluster. */
  readonly clusterId: string;
  /** Path and query for the API server. They are forwarded unchanged. */
  readonly target: string;
}

const names = "[^/?#%]+";
const pattern = new RegExp(
  `^(/subscriptions/${names}/resourcegroups/${names}/providers/microsoft\\.redhatopenshift/openshiftclusters/${names})/kubeconfig/proxy(/[^#]*)?$`,
  "i",
);

/**
 * Parses the URL of a request to the kubeconfig proxy of a cluster. Azure names in the URL are case-insensitive. The part after
 * `/kubeconfig/proxy` is forwarded unchanged to the API server. Undefined for all other paths, and for ambiguous paths. A path is
 * ambiguous if it has dot segments, empty segments or backslashes, literal or encoded.
 */
export function proxyPath(url: string): ProxyPath | undefined {
  const [, id, target = "/"] = pattern.exec(url) ?? [];
  if (id === undefined) return undefined;
  const [path = "/"] = target.split("?");
  return isPlain(path) ? { clusterId: id.toLowerCase(), target } : undefined;
}

function isPlain(path: string): boolean {
  const segments = path.split("/").slice(1);
  return segments.every((segment, at) => {
    if (segment === "") return at === segments.length - 1;
    const decoded = fullyDecoded(segment);
    return decoded !== undefined && decoded !== "." && decoded !== ".." && !/[/\\]/.test(decoded);
  });
}

/** Decodes a segment twice, because the next server may decode it again. Undefined if the encoding is invalid. */
function fullyDecoded(segment: string): string | undefined {
  try {
    const once = decodeURIComponent(segment);
    return /%(2e|2f|5c)/i.test(once) ? decodeURIComponent(once) : once;
  } catch {
    return undefined;
  }
}
