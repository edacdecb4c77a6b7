import type { JsonObject, JsonValue } from "@keelson/base";
import { ArmError } from "../arm/arm-error.ts";
import type { Operation, OperationFailure } from "../arm/operations.ts";
import type { Principal } from "../arm/principal.ts";
import type { Subscription } from "../arm/subscription.ts";
import { members, nonEmptyStringAt } from "../base/json.ts";
import type { ProviderFront } from "./provider-front.ts";

const apiVersion = "api-version=2025-07-25";
const pollMs = 1_000;
/**
 * Maximum number of attempts to list the clusters while the provider is unavailable. Without the list, the group cannot be
 * deleted.
 */
const listAttempts = 60;
/** Time limit in ms for deleting a cluster, as in Azure Resource Manager. */
const limitMs = 8 * 3_600_000;

/**
 * Deletes the clusters of a group on behalf of the caller, before the group itself is deleted. Waits until all clusters are
 * deleted. If one deletion fails, the other deletions continue. The result lists the failure of each cluster.
 */
export async function clearClusters(
  provider: ProviderFront,
  subscription: Subscription,
  { target, caller }: Operation,
  signal: AbortSignal,
): Promise<OperationFailure | undefined> {
  const group = target.split("/").at(-1) ?? "";
  // A managed group contains no clusters. If the provider deletes a cluster, it also deletes the cluster's managed group.
  if (subscription.groups.get(group.toLowerCase())?.managedBy !== undefined) return undefined;
  const clusters = await untilAnswered(
    subscription,
    signal,
    () => provider.clusters(group),
    listAttempts,
  ).catch((error: unknown) => (error instanceof ArmError ? error : Promise.reject(error)));
  if (clusters instanceof ArmError) {
    const { status, code, message } = clusters;
    return { status, code, message };
  }
  if (clusters.length === 0 || !caller) return undefined;
  const ids = clusters.flatMap((each) => nonEmptyStringAt(each, "id") ?? []);
  const outcomes = await Promise.all(
    ids.map((id) => deleteCluster(provider, subscription, id, caller, signal)),
  );
  const details = outcomes.filter((each) => each !== undefined);
  if (details.length === 0) return undefined;
  const failed = details.map((each) => nonEmptyStringAt(each, "target")).join(",");
  return {
    status: 409,
    code: "ResourceGroupDeletionBlocked",
    message: `Deletion of resource group '${group}' failed as resources with identifiers '${failed}' could not be deleted. The provisioning state of the resource group will be rolled back. Please check audit logs for more details.`,
    details,
  };
}

/** Deletes a cluster. Returns the failure, or `undefined` when the cluster is deleted. */
async function deleteCluster(
  provider: ProviderFront,
  subscription: Subscription,
  id: string,
  caller: Principal,
  signal: AbortSignal,
): Promise<JsonObject | undefined> {
  const end = subscription.clock.monotonicMs() + limitMs;
  const ask = (method: string, path: string) =>
    untilAnswered(subscription, signal, () => provider.ask(method, path, caller));
  let watched: string | undefined;
  while (subscription.clock.monotonicMs() < end) {
    if (watched === undefined) {
      const asked = await ask("DELETE", `${id}?${apiVersion}`);
      if (asked.status === 404 || asked.status === 204) return undefined;
      // The provider rejects the deletion while an operation on the cluster is in progress. The request is repeated until the
      // operation has completed.
      const mayEnd = asked.status === 409 || asked.status === 429 || asked.status >= 500;
      if (asked.status >= 400 && !mayEnd) return failure(id, asked.body);
      const url = URL.parse(asked.headers?.["azure-asyncoperation"] ?? "");
      if (asked.status < 300) watched = url ? `${url.pathname}${url.search}` : "";
    }
    const seen = await ask("GET", `${id}?${apiVersion}`);
    if (seen.status === 404) return undefined;
    if (watched) {
      const operation = await ask("GET", watched);
      if (/^(failed|canceled)$/i.test(nonEmptyStringAt(operation.body, "status") ?? ""))
        return failure(id, operation.body);
    }
    await subscription.clock.sleep(pollMs, signal);
  }
  return { code: "ResourceDeletionTimeout", target: id, message: "It is still there." };
}

/**
 * Calls `ask`, and repeats the call while the provider is unavailable.
 * @throws ArmError the last error, after `attempts` attempts
 */
async function untilAnswered<T>(
  subscription: Subscription,
  signal: AbortSignal,
  ask: () => Promise<T>,
  attempts = Number.POSITIVE_INFINITY,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof ArmError) || attempt >= attempts) throw error;
      await subscription.clock.sleep(pollMs, signal);
    }
  }
}

function failure(id: string, body: JsonValue | undefined): JsonObject {
  const error = members(members(body).error);
  return {
    code: nonEmptyStringAt(error, "code") ?? "InternalServerError",
    target: id,
    message: nonEmptyStringAt(error, "message") ?? "The deletion failed.",
  };
}
