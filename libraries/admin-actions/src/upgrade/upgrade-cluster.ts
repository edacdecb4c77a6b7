import { CloudError } from "@keelson/arm";
import { onTimeDeadline, stringAt } from "@keelson/base";
import { type KubeObject, resources } from "@keelson/kube";
import { parseVersion } from "@keelson/model";
import type { ActionContext } from "../context/action-context.ts";
import type { ActionJournal } from "../context/action-journal.ts";
import {
  isTarget,
  offeredVersions,
  readClusterVersion,
  readUpgrade,
  refusalOf,
  type UpgradeStatus,
} from "./upgrade-status.ts";

const key = { name: "version" };
const pauseMs = 2_000;
/**
 * Time limit in ms for each of two waits: for the available updates of the selected channel, and for the acceptance of the
 * update.
 */
const waitMs = 180_000;

/**
 * Rejects invalid upgrade versions.
 * @throws CloudError InvalidParameter
 */
export function checkUpgradeVersion(version: string): void {
  if (/^\d+\.\d+\.\d+$/.test(version) && parseVersion(version)?.major === 4) return;
  throw new CloudError("InvalidParameter", `The provided version '${version}' is invalid.`, {
    target: "version",
  });
}

/**
 * Rejects invalid update channels. An empty channel means the channel that the cluster already uses.
 * @throws CloudError InvalidParameter
 */
export function checkChannel(channel: string): void {
  if (channel === "" || /^(stable|fast|eus|candidate)-4\.\d{1,3}$/.test(channel)) return;
  throw new CloudError("InvalidParameter", `The provided channel '${channel}' is invalid.`, {
    target: "channel",
  });
}

/**
 * Checks the cluster, starts its upgrade, and waits until the cluster version operator accepts the upgrade. The action ends at
 * this point, while the upgrade continues.
 * @throws CloudError RequestNotAllowed (409) with failed checks as details; KubeError if the cluster rejects a request
 */
export async function upgradeCluster(
  context: ActionContext,
  { version, channel }: { readonly version: string; readonly channel: string },
  journal: ActionJournal,
): Promise<UpgradeStatus> {
  const { kube, signal } = context;
  const current = await readClusterVersion(context);
  if (channel !== "" && stringAt(current, "spec", "channel") !== channel) {
    await kube().mergePatch(resources.clusterVersions, key, { spec: { channel } }, signal);
    journal.report(`the channel is ${channel}`);
    await until(context, (each) => offeredVersions(each).includes(version));
  }
  const status = await readUpgrade(context, version);
  const failed = status.checks.filter(({ passed }) => !passed);
  if (failed.length > 0) {
    const details = failed.map(({ name, message }) => ({
      code: "RequestNotAllowed",
      message,
      target: name,
    }));
    const text = failed.map(({ name, message }) => `${name}: ${message}`).join(" ");
    throw new CloudError("RequestNotAllowed", `The cluster cannot be upgraded. ${text}`, {
      status: 409,
      details,
    });
  }
  journal.report("all checks passed");
  const desiredUpdate = { version, image: null, force: null };
  await kube().mergePatch(resources.clusterVersions, key, { spec: { desiredUpdate } }, signal);
  const accepted = await until(context, (each) => isTarget(each, version) || refusalOf(each) !== undefined);
  if (!accepted || !isTarget(accepted, version)) {
    const reason = accepted ? refusalOf(accepted) : "it did not respond in time";
    throw new CloudError("RequestNotAllowed", `The cluster version operator refuses the update: ${reason}`, {
      status: 409,
    });
  }
  journal.report(`the cluster moves to ${version}`);
  return readUpgrade(context, version);
}

/** Polls the ClusterVersion and returns it as soon as it satisfies `accept`. Returns undefined after three minutes. */
async function until(
  context: ActionContext,
  accept: (clusterVersion: KubeObject) => boolean,
): Promise<KubeObject | undefined> {
  const { clock, signal } = context;
  const isOver = onTimeDeadline(clock, waitMs);
  for (;;) {
    const clusterVersion = await readClusterVersion(context);
    if (accept(clusterVersion)) return clusterVersion;
    if (isOver()) return undefined;
    await clock.sleep(pauseMs, signal);
  }
}
