import type { KubeObject } from "@keelson/apiserver";
import { valueAt } from "@keelson/base";
import { stringMapAt } from "../../base/fields.ts";
import { selectsLabels } from "../../base/label-selector.ts";

/**
 * Returns the pool that configures a node. The pool `master` has priority over a custom pool, and a custom pool over `worker`.
 * `undefined` for a node without a pool or with several custom pools.
 */
export function poolOf(node: KubeObject, pools: readonly KubeObject[]): KubeObject | undefined {
  const labels = stringMapAt(node, "metadata", "labels");
  const selecting = pools.filter((pool) => {
    const selector = valueAt(pool, "spec", "nodeSelector");
    return selector !== undefined && selectsLabels(selector, labels);
  });
  const named = (name: string) => selecting.find(({ metadata }) => metadata.name === name);
  const custom = selecting.filter(({ metadata }) => !["master", "worker"].includes(metadata.name));
  const master = named("master");
  if (master) return master;
  if (custom.length > 1) return undefined;
  return custom[0] ?? named("worker");
}

export function nodesOf(
  pool: KubeObject,
  nodes: readonly KubeObject[],
  pools: readonly KubeObject[],
): readonly KubeObject[] {
  return nodes.filter((node) => poolOf(node, pools)?.metadata.name === pool.metadata.name);
}
