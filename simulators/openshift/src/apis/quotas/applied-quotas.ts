import {
  type AggregatedResource,
  type KubeObject,
  type ResourceCall,
  selectsNamespace,
  sharedTurns,
} from "@keelson/apiserver";
import { objectAt } from "@keelson/base";
import { clusterScoped, resources } from "../../base/resources.ts";
import type { ApiContext } from "../api-context.ts";
import { computedColumn } from "../columns.ts";
import { failures } from "../failures.ts";

const group = "quota.openshift.io";
const plural = "appliedclusterresourcequotas";
/** Maximum number of ClusterResourceQuotas of a cluster that apply. */
const maxQuotas = 100;
const clusterQuotas = clusterScoped(group, "v1", "clusterresourcequotas", "ClusterResourceQuota");

/**
 * AppliedClusterResourceQuotas: the ClusterResourceQuotas that select the namespace, for users who may not read
 * ClusterResourceQuotas. Source: openshift/openshift-apiserver `pkg/quota/apiserver/registry/appliedclusterresourcequota`.
 */
export function appliedQuotaResource({ client }: ApiContext): AggregatedResource {
  const list = async ({ namespace }: Pick<ResourceCall, "namespace">) => {
    if (namespace === undefined) throw failures.badRequest("namespace is required");
    const { items, resourceVersion } = await client.list(clusterQuotas, { limit: maxQuotas });
    const owner = await client.find(resources.namespaces, { name: namespace });
    const applied: KubeObject[] = [];
    for (const quota of owner ? items : []) {
      // A selector can be large.
      await sharedTurns.wait(client);
      if (owner && selectsNamespace(quota, owner)) applied.push(appliedQuota(quota, namespace));
    }
    return { items: applied, resourceVersion };
  };
  return {
    group,
    version: "v1",
    kind: "AppliedClusterResourceQuota",
    plural,
    namespaced: true,
    columns: [
      computedColumn("Labels Selector", (quota) => {
        const labels = objectAt(quota, "spec", "selector", "labels", "matchLabels");
        return textOf(labels);
      }),
      computedColumn("Annotations Selector", (quota) =>
        textOf(objectAt(quota, "spec", "selector", "annotations")),
      ),
    ],
    handlers: {
      list,
      get: async (call) => {
        const found = (await list(call)).items.find(({ metadata }) => metadata.name === call.name);
        if (!found) throw failures.notFound({ group, resource: plural }, call.name);
        return found;
      },
    },
  };
}

function appliedQuota(quota: KubeObject, namespace: string): KubeObject {
  return {
    ...quota,
    apiVersion: `${group}/v1`,
    kind: "AppliedClusterResourceQuota",
    metadata: { ...quota.metadata, namespace },
  };
}

function textOf(labels: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(labels).map(([key, value]) => `${key}=${value}`);
  return pairs.length === 0 ? "<none>" : pairs.sort().join(",");
}
