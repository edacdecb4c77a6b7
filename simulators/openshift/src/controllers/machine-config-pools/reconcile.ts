import type { KubeObject } from "@keelson/apiserver";
import { objectAt, valueAt } from "@keelson/base";
import { controllerReference, done, type ReconcileScope, type Result } from "@keelson/controller";
import type { ObjectKey } from "@keelson/kube";
import { aggregatePause } from "../../base/aggregate-pause.ts";
import { canonicalJson } from "../../base/canonical-json.ts";
import { stringMapAt } from "../../base/fields.ts";
import { selectsLabels } from "../../base/label-selector.ts";
import { ensureObject, writeStatus } from "../../base/objects.ts";
import { resources } from "../../base/resources.ts";
import type { Cluster } from "../../runtime/cluster.ts";
import { controllerConfigKey } from "../machine-configs/controller.ts";
import { configNames, releaseVersionOf } from "../machine-configs/names.ts";
import { renderConfigs } from "../machine-configs/render.ts";
import { nodesOf } from "./membership.ts";
import { configurationOf, nodesToUpdate, poolStatus, targetOf } from "./plan.ts";

export async function reconcilePool(
  key: ObjectKey,
  cluster: Cluster,
  { signal }: Pick<ReconcileScope, "signal">,
): Promise<Result> {
  const { client, cache, clock } = cluster;
  const found = await client.find(resources.machineConfigPools, key);
  if (!found || found.metadata.deletionTimestamp !== undefined) return done;
  const { pool, renderProblem } = await render(cluster, found);
  const pools = (await client.list(resources.machineConfigPools)).items;
  const nodes = nodesOf(pool, cache.informer(resources.nodes).list(), pools);
  for (const node of nodesToUpdate(pool, nodes)) await setDesiredConfig(cluster, node, targetOf(pool) ?? "");
  const status = poolStatus({ pool, nodes, renderProblem, now: clock.now() });
  await writeStatus(client, resources.machineConfigPools, pool, status);
  await aggregatePause(clock, nodes.length, signal);
  return done;
}

/** Renders the configs of a pool and sets the pool's target. An invalid config leaves the pool unchanged. */
async function render(
  { client }: Cluster,
  pool: KubeObject,
): Promise<{ readonly pool: KubeObject; readonly renderProblem: string | undefined }> {
  const version = releaseVersionOf(await client.find(resources.controllerConfigs, controllerConfigKey));
  const selector = valueAt(pool, "spec", "machineConfigSelector");
  const configs = (await client.list(resources.machineConfigs)).items.filter(
    (config) => selector !== undefined && selectsLabels(selector, stringMapAt(config, "metadata", "labels")),
  );
  // Waits until all configs of the release exist.
  if (version === undefined || !isComplete(configs, version)) return { pool, renderProblem: undefined };
  const rendered = renderConfigs(pool.metadata.name, configs);
  if (rendered.kind === "invalid") return { pool, renderProblem: rendered.message };
  if (targetOf(pool) !== rendered.name)
    await ensureObject(client, resources.machineConfigs, {
      apiVersion: "machineconfiguration.openshift.io/v1",
      kind: "MachineConfig",
      metadata: {
        name: rendered.name,
        annotations: {
          ...versionAnnotations(configs, version),
          [configNames.releaseVersion]: version,
        },
        ownerReferences: [controllerReference(pool)],
      },
      spec: rendered.spec,
    });
  const configuration = configurationOf(rendered, configs);
  if (canonicalJson(objectAt(pool, "spec", "configuration")) === canonicalJson(configuration))
    return { pool, renderProblem: undefined };
  const spec = { ...objectAt(pool, "spec"), configuration };
  return {
    pool: await client.update(resources.machineConfigPools, { ...pool, spec }),
    renderProblem: undefined,
  };
}

/** True if all configs of the release exist in the given version. */
function isComplete(configs: readonly KubeObject[], version: string): boolean {
  const generated = configs.filter((config) => releaseVersionOf(config) !== undefined);
  return (
    generated.length >= templatesPerRole && generated.every((config) => releaseVersionOf(config) === version)
  );
}

const templatesPerRole = 7;

function versionAnnotations(configs: readonly KubeObject[], version: string): Record<string, string> {
  const generated = configs.find((config) => releaseVersionOf(config) === version);
  const hash = stringMapAt(generated, "metadata", "annotations")[configNames.generatedBy];
  return hash === undefined ? {} : { [configNames.generatedBy]: hash };
}

async function setDesiredConfig(
  { client, cache }: Cluster,
  node: KubeObject,
  desired: string,
): Promise<void> {
  const updated = await client.update(resources.nodes, {
    ...node,
    metadata: {
      ...node.metadata,
      annotations: { ...node.metadata.annotations, [configNames.desiredConfig]: desired },
    },
  });
  // The next reconciliation must count this node as unavailable, even if the watch has not reported the update yet.
  cache.written(resources.nodes, updated);
}
