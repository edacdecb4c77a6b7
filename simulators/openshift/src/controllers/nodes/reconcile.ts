import type { KubeObject } from "@keelson/apiserver";
import { objectAt, stringAt } from "@keelson/base";
import { done, type ReconcileScope, type Result } from "@keelson/controller";
import type { ObjectKey } from "@keelson/kube";
import { ensureDeleted, writeStatus } from "../../base/objects.ts";
import { resources } from "../../base/resources.ts";
import { isBootError } from "../../boot/boot-problems.ts";
import type { VirtualMachine } from "../../hypervisor/virtual-machine.ts";
import { applyIgnition } from "../../ignition/apply-ignition.ts";
import type { Cluster } from "../../runtime/cluster.ts";
import { poolOf } from "../machine-config-pools/membership.ts";
import { controllerConfigKey } from "../machine-configs/controller.ts";
import { nodeConfigOf, releaseVersionOf } from "../machine-configs/names.ts";
import { bootIdOf, rebootUntil } from "./boot.ts";
import { hasClientCertificate, requestServingCertificate } from "./kubelet-certificates.ts";
import { ensureLease } from "./lease.ts";
import { type Boot, nodeObject, nodeStatus } from "./node-object.ts";
import { planNode } from "./plan.ts";
import { nodeTaints } from "./taints.ts";

/** Interval in milliseconds between the requests of a booting machine for its Ignition configuration. */
const bootRetryMs = 5_000;

export async function reconcileNode(
  { name }: ObjectKey,
  cluster: Cluster,
  { signal }: ReconcileScope,
): Promise<Result> {
  const { client, settings, clock, timings } = cluster;
  const node = await client.find(resources.nodes, { name });
  const matches = (kind: "node-not-ready" | "disk-full") =>
    cluster.faults.of(kind).some(({ parameters }) => parameters.node === name);
  const change = planNode({
    settings,
    node,
    timings,
    vm: cluster.machines.find(name),
    silenced: matches("node-not-ready"),
    now: clock.now(),
  });
  switch (change.kind) {
    case "none":
      return done;
    case "wait":
      return { requeueAfterMs: change.ms };
    case "remove":
      await ensureDeleted(client, resources.nodes, { name });
      return done;
    case "register":
      if (!(await boots(cluster, change.vm, signal))) return { requeueAfterMs: bootRetryMs };
      // The issued certificate triggers the next reconciliation.
      if (!(await hasClientCertificate(cluster, change.vm))) return done;
      // The new node triggers the next reconciliation, which reports the node's status.
      await client.create(resources.nodes, nodeObject(settings, change.vm));
      await requestServingCertificate(cluster, change.vm);
      return done;
    case "report": {
      const { kubelet, vm, nextMs } = change;
      const boot = await bootOf(cluster, change.node, kubelet === "ready");
      const report = { kubelet, diskFull: matches("disk-full"), boot };
      await writeStatus(
        client,
        resources.nodes,
        change.node,
        nodeStatus(change.node, vm, report, clock.now()),
      );
      await writeTaints(cluster, name);
      await ensureLease(cluster, change.node);
      return nextMs === undefined ? done : { requeueAfterMs: nextMs };
    }
  }
}

/**
 * Fetches the Ignition configuration of a machine. Returns true if the machine can boot with it. If the machine cannot boot,
 * records its boot problem and returns false.
 */
async function boots(
  { fetch, bootProblems, settings }: Cluster,
  vm: VirtualMachine,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    await applyIgnition(vm.customData, fetch, signal);
  } catch (error) {
    if (!isBootError(error)) throw error;
    await bootProblems.add(settings.infraId, vm, error.message);
    return false;
  }
  await bootProblems.resolve(vm);
  return true;
}

/** Returns a boot that has not been reported yet: the first boot or a completed reboot. */
async function bootOf(cluster: Cluster, node: KubeObject, isUp: boolean): Promise<Boot | undefined> {
  const reported = stringAt(node, "status", "nodeInfo", "bootID");
  if (!reported) return { bootId: node.metadata.uid ?? "", openShiftVersion: await releaseOf(cluster, node) };
  const reboot = rebootUntil(node);
  if (!reboot || !isUp) return undefined;
  const bootId = bootIdOf(node, reboot.text);
  return reported === bootId ? undefined : { bootId, openShiftVersion: await releaseOf(cluster, node) };
}

/**
 * Returns the release in a node's configuration. Uses the desired configuration, or the pool's configuration if the node has
 * none.
 */
async function releaseOf({ client, settings }: Cluster, node: KubeObject): Promise<string> {
  const pool = poolOf(node, (await client.list(resources.machineConfigPools)).items);
  const name = nodeConfigOf(node).desired ?? stringAt(pool, "status", "configuration", "name");
  const config = name ? await client.find(resources.machineConfigs, { name }) : undefined;
  const fallback = () => client.find(resources.controllerConfigs, controllerConfigKey);
  return releaseVersionOf(config ?? (await fallback())) ?? settings.openShiftVersion;
}

async function writeTaints({ client, clock }: Cluster, name: string): Promise<void> {
  const node = await client.get(resources.nodes, { name });
  const taints = nodeTaints(node, clock.now());
  if (taints) await client.update(resources.nodes, { ...node, spec: { ...objectAt(node, "spec"), taints } });
}
