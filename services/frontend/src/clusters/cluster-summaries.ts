import { nextLink, parseResourceId, resourceGroupNameOf } from "@keelson/arm";
import type { ClusterDocument } from "@keelson/model";
import { paths } from "../http/messages/paths.ts";
import { uncheckedVersion } from "../http/messages/version-rule.ts";
import { openToken } from "../http/paging.ts";
import type { Route } from "../http/route.ts";

/**
 * Maximum number of clusters in a page. A region usually has fewer clusters. The `link` header contains the URL of the next page.
 */
const pageSize = 1_000;

/**
 * Lists summaries of all subscriptions' clusters that match the query, ordered by ID. The response is an array and not an object,
 * because administrators' tools expect an array.
 */
export const clusterSummaries: Route = {
  method: "GET",
  path: paths.clusterSummaries,
  versions: uncheckedVersion,
  async handle(request, service) {
    const continuation = openToken(request, service);
    const query = { orderBy: "key", limit: pageSize, continuation };
    const page = await service.database.collections.clusters.list(query, request.signal);
    const body = page.items
      .map(({ document }) => clusterSummary(document))
      .filter(summaryFilter((name) => request.query(name)));
    if (!page.continuation) return { status: 200, body };
    const next = nextLink(request.callerUrl().href, service.sealer.seal(page.continuation, request.path));
    return { status: 200, headers: { link: `<${next}>; rel="next"` }, body };
  },
};

/** Summary of a cluster in the list of all clusters. Unknown values are empty strings. */
interface ClusterSummary {
  /** ID of the cluster's document. */
  readonly key: string;
  readonly name: string;
  readonly subscription: string;
  readonly resourceGroup: string;
  readonly resourceId: string;
  readonly provisioningState: string;
  readonly failedProvisioningState: string;
  readonly version: string;
  readonly createdAt: string;
  readonly createdBy: string;
  readonly provisionedBy: string;
  readonly lastModified: string;
}

function clusterSummary({ id, openShiftCluster }: ClusterDocument): ClusterSummary {
  const { properties, systemData } = openShiftCluster;
  return {
    key: id,
    name: openShiftCluster.name,
    subscription: parseResourceId(openShiftCluster.id)?.subscriptionId ?? "",
    resourceGroup: resourceGroupNameOf(openShiftCluster.id) ?? "",
    resourceId: openShiftCluster.id,
    provisioningState: properties.provisioningState,
    failedProvisioningState: properties.failedProvisioningState ?? "",
    version: properties.clusterProfile.version,
    createdAt: properties.createdAt,
    createdBy: properties.createdBy,
    provisionedBy: properties.provisionedBy ?? "",
    lastModified: systemData?.lastModifiedAt ?? "",
  };
}

/**
 * Query parameters, each with the cluster property that it filters. With `part`, the property must contain the parameter's value.
 * With `whole`, the property must be equal to it.
 */
const filters = [
  { parameter: "name", member: "name", matches: "part" },
  { parameter: "subscription", member: "subscription", matches: "part" },
  { parameter: "version", member: "version", matches: "part" },
  { parameter: "created_by", member: "createdBy", matches: "part" },
  { parameter: "provisioned_by", member: "provisionedBy", matches: "part" },
  { parameter: "state", member: "provisioningState", matches: "whole" },
] as const;

/**
 * Returns the filter for a query. A cluster must match all parameters. The comparison ignores case. An empty parameter matches
 * every value.
 */
function summaryFilter(
  query: (parameter: string) => string | undefined,
): (summary: ClusterSummary) => boolean {
  const wanted = filters.map((filter) => ({
    ...filter,
    value: query(filter.parameter)?.toLowerCase() ?? "",
  }));
  return (summary) =>
    wanted.every(({ member, matches, value }) => {
      const actual = summary[member].toLowerCase();
      return value === "" || (matches === "part" ? actual.includes(value) : actual === value);
    });
}
