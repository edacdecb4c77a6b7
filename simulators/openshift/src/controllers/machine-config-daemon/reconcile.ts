import type { KubeObject } from "@keelson/apiserver";
import { stringAt } from "@keelson/base";
import { done, type Result } from "@keelson/controller";
import type { ObjectKey } from "@keelson/kube";
import { resources } from "../../base/resources.ts";
import type { Cluster } from "../../runtime/cluster.ts";
import { drainNode, setSchedulable } from "../drain/drain-node.ts";
import { poolOf } from "../machine-config-pools/membership.ts";
import { targetOf } from "../machine-config-pools/plan.ts";
import { configNames, nodeConfigOf } from "../machine-configs/names.ts";
import { applyFiles } from "./node-files.ts";
import { cordonedForConfig, failedDrain, planDaemon } from "./plan.ts";

export async function reconcileDaemon({ name }: ObjectKey, cluster: Cluster): Promise<Result> {
  const { client } = cluster;
  const node = await client.find(resources.nodes, { name });
  if (!node) return done;
  const config = nodeConfigOf(node);
  const find = (configName: string | undefined) =>
    configName === undefined ? undefined : client.find(resources.machineConfigs, { name: configName });
  const createdMs = Date.parse(node.metadata.creationTimestamp ?? "");
  const moving = config.desired !== config.current;
  const change = planDaemon({
    node,
    birthConfig: config.current === undefined ? await birthConfigOf(cluster, node) : undefined,
    current: moving ? await find(config.current) : undefined,
    desired: moving ? await find(config.desired) : undefined,
    isFirstBoot: cluster.clock.now().getTime() - createdMs < cluster.timings.firstBootMs,
    fault: faultOf(cluster, "config-error", name)?.message,
  });
  switch (change.kind) {
    case "none":
      return done;
    case "adopt":
      await writeFiles(cluster, name, undefined, await find(change.config));
      await annotate(cluster, node, {
        [configNames.currentConfig]: change.config,
        [configNames.desiredConfig]: change.config,
        [configNames.state]: "Done",
        [configNames.reason]: "",
      });
      return done;
    case "degrade":
      await annotate(cluster, node, { [configNames.state]: "Degraded", [configNames.reason]: change.reason });
      return done;
    case "begin":
      await annotate(cluster, node, {
        [configNames.state]: "Working",
        [configNames.reason]: "",
        [configNames.desiredDrain]: `drain-${config.desired}`,
      });
      return done;
    case "drain":
      return drain(cluster, node);
    case "finish":
      await writeFiles(cluster, name, await find(config.current), await find(config.desired));
      return finish(cluster, node);
  }
}

/**
 * Returns the initial configuration of a new node. This is the current configuration of its pool or, during the pool's first
 * rollout, the target configuration.
 */
async function birthConfigOf({ client }: Cluster, node: KubeObject): Promise<string | undefined> {
  const pool = poolOf(node, (await client.list(resources.machineConfigPools)).items);
  return stringAt(pool, "status", "configuration", "name") || (pool && targetOf(pool));
}

function faultOf({ faults }: Cluster, kind: "config-error" | "drain-error", name: string) {
  const fault = faults.of(kind).find(({ parameters }) => (parameters.node ?? name) === name);
  return fault && { message: String(fault.parameters.message ?? `the fault ${fault.id} was asked for`) };
}

async function drain(cluster: Cluster, node: KubeObject): Promise<Result> {
  const { client, timings, clock } = cluster;
  const { name } = node.metadata;
  const again = { requeueAfterMs: timings.drainRetryMs };
  const cordoned = await setSchedulable(client, node, false);
  if (faultOf(cluster, "drain-error", name)) {
    await annotate(cluster, cordoned, {
      [configNames.state]: "Degraded",
      [configNames.reason]: failedDrain(name),
    });
    return done;
  }
  const outcome = await drainNode(cluster, cordoned);
  if (outcome.kind !== "drained") return again;
  const until = new Date(clock.now().getTime() + timings.rebootMs).toISOString();
  await annotate(cluster, cordoned, {
    [configNames.state]: "Rebooting",
    [configNames.reason]: "",
    [configNames.lastAppliedDrain]: `drain-${nodeConfigOf(node).desired}`,
    [configNames.rebootUntil]: until,
  });
  return done;
}

async function finish(cluster: Cluster, node: KubeObject): Promise<Result> {
  const { desired = "" } = nodeConfigOf(node);
  const opened = cordonedForConfig(node) ? await setSchedulable(cluster.client, node, true) : node;
  const { [configNames.rebootUntil]: _, ...annotations } = opened.metadata.annotations ?? {};
  await annotate(
    cluster,
    { ...opened, metadata: { ...opened.metadata, annotations } },
    {
      [configNames.currentConfig]: desired,
      [configNames.state]: "Done",
      [configNames.reason]: "",
      [configNames.desiredDrain]: `uncordon-${desired}`,
      [configNames.lastAppliedDrain]: `uncordon-${desired}`,
    },
  );
  return done;
}

/** Writes the configuration's files to the node's directory. Does nothing for nodes without a directory. */
async function writeFiles(
  { nodeDirectory }: Cluster,
  name: string,
  from: KubeObject | undefined,
  to: KubeObject | undefined,
): Promise<void> {
  if (nodeDirectory && to) await applyFiles(nodeDirectory(name), from, to);
}

async function annotate(
  { client }: Cluster,
  node: KubeObject,
  annotations: Readonly<Record<string, string>>,
): Promise<void> {
  await client.update(resources.nodes, {
    ...node,
    metadata: { ...node.metadata, annotations: { ...node.metadata.annotations, ...annotations } },
  });
}
