/** Pages of a cluster by group. The last segment of a page's path is its name in lower case. */
export const tabGroups = {
  Cluster: ["Overview", "Timeline", "Activity", "Alerts"],
  Inside: [
    "ClusterOperators",
    "Nodes",
    "Machines",
    "MachineSets",
    "Events",
    "Pods",
    "Resources",
    "AzureResources",
  ],
  Statistics: ["APIStatistics", "KCMStatistics", "DNSStatistics", "IngressStatistics", "Prometheus"],
  Administration: ["Maintenance", "Upgrade", "Actions", "Sessions", "Recordings"],
} as const;
export type TabName = (typeof tabGroups)[keyof typeof tabGroups][number];

export const tabNames: readonly TabName[] = Object.values(tabGroups).flat();

export const tabPath = (name: TabName): string => name.toLowerCase();

/** Returns the tab for the last segment of a path. Default: the overview. Undefined for an unknown name. */
export function findTab(segment: string): TabName | undefined {
  return segment === "" ? "Overview" : tabNames.find((name) => tabPath(name) === segment);
}
