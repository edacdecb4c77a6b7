/** Subscription, resource group and name of a cluster, in lower case. */
export interface ClusterRef {
  readonly subscription: string;
  readonly resourceGroup: string;
  readonly name: string;
}

const pattern =
  /^\/subscriptions\/([^/]+)\/resourcegroups\/([^/]+)\/providers\/microsoft\.redhatopenshift\/openshiftclusters\/([^/]+)(?:\/([^/]*))?\/?$/;

/** Parses the path of a cluster's page into the cluster and the tab. Undefined for all other paths. Case is ignored. */
export function parseClusterPath(path: string): { cluster: ClusterRef; tab: string } | undefined {
  const [, subscription, resourceGroup, name, tab = ""] = pattern.exec(path.toLowerCase()) ?? [];
  if (!subscription || !resourceGroup || !name) return undefined;
  return { cluster: { subscription, resourceGroup, name }, tab };
}

/** Returns the value of `{R}` in the portal's route paths. */
export const resourcePath = ({ subscription, resourceGroup, name }: ClusterRef): string =>
  `/subscriptions/${subscription}/resourcegroups/${resourceGroup}/providers/microsoft.redhatopenshift/openshiftclusters/${name}`;

/** Returns the value of `{C}` in the portal's route paths. */
export const apiPath = ({ subscription, resourceGroup, name }: ClusterRef): string =>
  `/api/${subscription}/${resourceGroup}/${name}`;
