/** Target of a request with a kubeconfig of the portal. */
export interface ProxyPath {
  /** Lower-case resource ID of the cluster. */
  readonly clusterId: string;
  /** Path and query for the API server, unchanged. */
  readonly target: string;
}

const names = "[^/?#%]+";
const pattern = new RegExp(
  `^(/subscriptions/${names}/resourcegroups/${names}/providers/microsoft\\.redhatopenshift/openshiftclusters/${names})/kubeconfig/proxy(/[^#]*)?$`,
  "i",
);

/**
 * Parses a request's target. Azure names are case-insensitive. The rest belongs to the API server and is
 * forwarded unchanged. Undefined for other paths, and for paths that servers may interpret differently: with dot
 * segments, empty segments or backslashes, literal or encoded.
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

/** Decodes twice, like a second server would. Undefined for an invalid encoding. */
function fullyDecoded(segment: string): string | undefined {
  try {
    const once = decodeURIComponent(segment);
    return /%(2e|2f|5c)/i.test(once) ? decodeURIComponent(once) : once;
  } catch {
    return undefined;
  }
}
