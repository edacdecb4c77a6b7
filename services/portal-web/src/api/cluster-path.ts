/** Cluster in paths, in lower case. */
export interface ClusterRef {
  readonly subscription: string;
  readonly resourceGroup: string;
  readonly name: string;
}

const pattern =
  /^\/subscriptions\/([^/]+)\/resourcegroups\/([^/]+)\/providers\/microsoft\.redhatopenshift\/openshiftclusters\/([^/]+)(?:\/([^/]*))?\/?$/;

/** Returns the cluster and the tab of a path. Undefined for other paths. Case-insensitive. */
export function parseClusterPath(path: string): { cluster: ClusterRef; tab: string } | undefined {
  const [, subscription, resourceGroup, name, tab = ""] = pattern.exec(path.toLowerCase()) ?? [];
  if (!subscription || !resourceGroup || !name) return undefined;
  return { cluster: { subscription, resourceGroup, name }, tab };
}

/** Path `{R}` of the portal's routes. */
export const resourcePath = ({ subscription, resourceGroup, name }: ClusterRef): string =>
  `/subscriptions/${subscription}/resourcegroups/${resourceGroup}/providers/microsoft.redhatopenshift/openshiftclusters/${name}`;

/** Path `{C}` of the portal's routes. */
export const apiPath = ({ subscription, resourceGroup, name }: ClusterRef): string =>
  `/api/${subscription}/${resourceGroup}/${name}`;
