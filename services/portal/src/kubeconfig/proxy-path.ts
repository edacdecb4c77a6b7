/** Where a request through a kubeconfig of the portal goes. */
export interface ProxyPath {
  /** The cluster's resource ID, lower case. */
  readonly clusterId: string;
  /** Path and query for the API server, as they were sent. */
  readonly target: string;
}

const names = "[^/?#%]+";
const pattern = new RegExp(
  `^(/subscriptions/${names}/resourcegroups/${names}/providers/microsoft\\.redhatopenshift/openshiftclusters/${names})/kubeconfig/proxy(/[^#]*)?$`,
  "i",
);

/**
 * Takes a request's target apart. Names of Azure are compared whatever their case; what follows is the API server's, and is
 * passed on to the letter. `undefined` for every other path, and for one that a server could read as another one's: with dot
 * segments, empty segments or backslashes, written out or encoded.
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

/** Decoded twice, as a second server would; `undefined` for an encoding that is none. */
function fullyDecoded(segment: string): string | undefined {
  try {
    const once = decodeURIComponent(segment);
    return /%(2e|2f|5c)/i.test(once) ? decodeURIComponent(once) : once;
  } catch {
    return undefined;
  }
}
