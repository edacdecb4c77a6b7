import { ArmError } from "../arm/arm-error.ts";
import { authorize } from "../authorization/enforcement/enforcement.ts";
import { type Deployer, requestOf } from "./arm-calls.ts";
import { isOver } from "./deployment.ts";
import type { DeploymentSubscription } from "./deployment-subscription.ts";
import { type Place, scopeId } from "./language/context.ts";

/**
 * Limits for the number of deployments in the history of a scope, as in Azure. The maximum is `most`. Above `startsAt`, the
 * oldest deployments are deleted until `endsAt` remain.
 * @see https://learn.microsoft.com/azure/azure-resource-manager/templates/deployment-history-deletions
 */
const historyLimits = { most: 800, startsAt: 700, endsAt: 600 };

/** Maximum total size of all histories in bytes. */
const maxBytes = 64 * 1024 * 1024;

/**
 * Deletes the oldest deployments of a nearly full history if the caller has the right to delete them. Must run in a transaction.
 */
export function trimHistory(subscription: DeploymentSubscription, place: Place, deployer: Deployer): void {
  const history = subscription.deployments.below(scopeId(place));
  if (history.length > historyLimits.startsAt) {
    const oldest = history.filter(isOver).toSorted((a, b) => (a.startedAt < b.startedAt ? -1 : 1));
    for (const { id } of oldest.slice(0, history.length - historyLimits.endsAt)) {
      if (!mayDelete(subscription, deployer, id)) break;
      subscription.deployments.delete(id);
    }
  }
  subscription.deployments.trimTo(maxBytes);
}

/**
 * Checks that a deployment fits into the history of its scope. A deployment with the name of an existing deployment always fits,
 * because it replaces the existing deployment.
 * @throws ArmError 409 if the history is full
 */
export function requireRoom(
  subscription: DeploymentSubscription,
  place: Place,
  id: string,
  name: string,
): void {
  const count = subscription.deployments.below(scopeId(place)).length;
  if (count < historyLimits.most || subscription.deployments.find(id)) return;
  throw new ArmError(
    409,
    "DeploymentQuotaExceeded",
    `Creating the deployment '${name}' would exceed the quota of '${historyLimits.most}'. The current deployment count is '${count}'. Please delete some deployments before creating a new one, or remove locks that keep old ones from being deleted. Please see https://aka.ms/800LimitFix for information on managing deployment limits.`,
  );
}

function mayDelete(subscription: DeploymentSubscription, deployer: Deployer, id: string): boolean {
  try {
    authorize(subscription, requestOf(deployer, { method: "DELETE", id, apiVersion: "2025-04-01" }));
    return true;
  } catch (error) {
    if (error instanceof ArmError) return false;
    throw error;
  }
}
