import { CloudError } from "@keelson/arm";
import { isPlainObject, listAt, stringAt, valueAt } from "@keelson/base";
import { resources } from "@keelson/kube";
import type { ActionContext } from "../context/action-context.ts";
import type { ActionJournal } from "../context/action-journal.ts";
import { backupMember } from "./backup-member.ts";
import { cleanUp } from "./clean-up.ts";
import { type DegradedMember, findDegradedMember, findPeer } from "./degraded-member.ts";
import { runCommand } from "./run-command.ts";

const namespace = "openshift-etcd";
const operator = { name: "cluster" };
export const memberSecretPrefixes = ["etcd-peer-", "etcd-serving-", "etcd-serving-metrics-"] as const;

/**
 * Setting of the etcd operator that permits a rollout with only two members. Without the setting, the operator refuses such a
 * rollout as unsafe.
 */
const withoutQuorumGuard = { useUnsupportedUnsafeNonHANonProductionUnstableEtcd: true };

/**
 * Replaces a single failed etcd member and returns the log.
 * It backs up the member's data on the node and removes the member from the member list. It then deletes the member's
 * certificates and triggers a rollout by the operator.
 * @throws CloudError InternalServerError if the number of failed members is not one, or if a step fails; KubeError if the cluster
 * rejects a request
 * @see
 * https://docs.redhat.com/en/documentation/openshift_container_platform/4.19/html/backup_and_restore/control-plane-backup-and-restore
 */
export async function recoverEtcd(context: ActionContext, journal: ActionJournal): Promise<string> {
  const { signal, clock } = context;
  const kube = context.kube();
  const log: string[] = [];
  const note = (text: string) => {
    log.push(text);
    journal.report(text);
  };
  const pods = (await kube.list(resources.pods, { namespace }, signal)).items.filter((pod) =>
    listAt(pod, "spec", "containers").some((container) => stringAt(container, "name") === "etcd"),
  );
  const degraded = findDegradedMember(pods);
  const peer = findPeer(pods, degraded);
  note(`Pod ${degraded.pod} on node ${degraded.node} has failed.`);
  note((await backupMember(context, degraded.node)).trimEnd());
  note(await removeMember(context, degraded, peer));
  const etcd = await kube.get(resources.etcds, operator, signal);
  const overrides = valueAt(etcd, "spec", "unsupportedConfigOverrides") ?? null;
  await kube.mergePatch(
    resources.etcds,
    operator,
    { spec: { unsupportedConfigOverrides: withoutQuorumGuard } },
    signal,
  );
  try {
    for (const prefix of memberSecretPrefixes) {
      await kube.delete(resources.secrets, { namespace, name: prefix + degraded.node }, signal);
      note(`Deleted secret ${prefix}${degraded.node}.`);
    }
    const forceRedeploymentReason = `single-master-recovery-${clock.now().toISOString()}`;
    await kube.mergePatch(resources.etcds, operator, { spec: { forceRedeploymentReason } }, signal);
    note(`Asked the operator to roll out: ${forceRedeploymentReason}.`);
  } finally {
    const spec = { unsupportedConfigOverrides: replacement(overrides) };
    await cleanUp(context, "unsupportedConfigOverrides of etcd", async (client, limit) => {
      await client.mergePatch(resources.etcds, operator, { spec }, limit);
    });
  }
  return `${log.join("\n")}\n`;
}

/**
 * Returns the merge patch that restores the previous value. If the previous value lacks the action's setting, the patch contains
 * null for the setting, so that the setting is removed.
 */
function replacement(before: unknown): unknown {
  if (!isPlainObject(before)) return null;
  return Object.hasOwn(before, "useUnsupportedUnsafeNonHANonProductionUnstableEtcd")
    ? before
    : { ...before, useUnsupportedUnsafeNonHANonProductionUnstableEtcd: null };
}

/** Removes a member from etcd. A missing member is not an error, because an earlier attempt may have removed it. */
async function removeMember(context: ActionContext, { node }: DegradedMember, peer: string): Promise<string> {
  const container = { namespace, pod: peer, container: "etcdctl" };
  const id = memberId(
    await runCommand(context, container, ["etcdctl", "member", "list", "-w", "json", "--hex"]),
    node,
  );
  if (id === undefined) return `Member ${node} is not in the list of ${peer}.`;
  const removed = await runCommand(context, container, ["etcdctl", "member", "remove", id]);
  return removed.trimEnd();
}

/**
 * Returns the hexadecimal ID of the member with this name. Undefined if the member does not exist.
 * @throws CloudError InternalServerError
 */
export function memberId(list: string, name: string): string | undefined {
  let value: unknown;
  try {
    value = JSON.parse(list);
  } catch (cause) {
    throw new CloudError("InternalServerError", "etcdctl's list of members is no JSON", { cause });
  }
  const member = listAt(value, "members").find((each) => stringAt(each, "name") === name);
  const id = stringAt(member, "ID");
  if (member !== undefined && (id === undefined || !/^[0-9a-f]{1,16}$/.test(id)))
    throw new CloudError("InternalServerError", `etcd member ${name} has no hexadecimal ID`);
  return id;
}
