import type { ArmClient, Response } from "../e2e/support/arm-client.ts";
import { exampleRequest, variablesFor } from "../e2e/support/cluster-request.ts";
import { createIdentities } from "../e2e/support/managed-identities.ts";
import type { WorldClient } from "../e2e/support/world-client.ts";
import { clusterMs, type TimedOperation, timeOperation } from "./timed-operation.ts";

/** Installation of one cluster with its expected result. */
export interface InstallCase {
  readonly name: string;
  /** Name of the cluster, its domain and its resource group. */
  readonly cluster: string;
  readonly identities: boolean;
  /** Injects a failure. Returns a function that removes the failure. */
  readonly sabotage?: (world: InstallWorld) => Promise<() => Promise<void>>;
  /** Creation step before which `sabotage` runs. Default: it runs before the creation. */
  readonly sabotageAt?: string;
  /** Expected code and text of the customer's error. Default: the installation succeeds. */
  readonly failure?: { readonly code: string; readonly text: RegExp };
}

/** Service on a simulation. */
export interface InstallWorld {
  readonly arm: ArmClient;
  readonly azure: WorldClient;
  /** Path of the configuration file `service.json`. */
  readonly serviceFile: string;
  /** Waits until objects outside of Azure are deleted. The deletion of a cluster does not wait for these objects. */
  readonly forgotten?: () => Promise<void>;
  readonly signal: AbortSignal;
}

export interface CaseResult {
  readonly name: string;
  readonly create: TimedOperation;
  readonly remove: TimedOperation;
  /** Differences from the expected result. */
  readonly problems: readonly string[];
}

/** Maximum duration of `create cluster` in milliseconds on an idle machine. */
const createClusterGoalMs = 180_000;

/** Creates a cluster, compares the result with the expected one and deletes the cluster. */
export async function runCase(world: InstallWorld, each: InstallCase): Promise<CaseResult> {
  const { arm, signal } = world;
  await createGroup(world, each.cluster);
  const body = await requestOf(world, each);
  let restore = each.sabotageAt === undefined ? await each.sabotage?.(world) : undefined;
  const path = `${arm.cluster(each.cluster)}?api-version=2025-07-25`;
  const onStep = async (step: string) => {
    if (step === each.sabotageAt) restore = await each.sabotage?.(world);
  };
  const create = await timeOperation(arm, operationOf(await arm.call("PUT", path, body)), signal, onStep);
  await restore?.();
  const remove = await timeOperation(arm, operationOf(await arm.call("DELETE", path)), signal);
  const left = await arm.resources(`aro-${each.cluster}`);
  await world.forgotten?.();
  return {
    name: each.name,
    create,
    remove,
    problems: [
      ...problemsOf(each, create),
      ...(remove.status === "Succeeded" ? [] : [`the deletion failed: ${JSON.stringify(remove.error)}`]),
      ...(left.length === 0 ? [] : [`${left.length} resources remain: ${JSON.stringify(left[0])}`]),
    ],
  };
}

function problemsOf({ failure }: InstallCase, create: TimedOperation): readonly string[] {
  const { status, error } = create;
  const text = JSON.stringify(error ?? {});
  if (failure) {
    if (status === "Succeeded") return ["the install succeeded"];
    const isExpected = error?.code === failure.code && failure.text.test(text);
    return isExpected ? [] : [`expected ${failure.code} with ${failure.text}, got ${text}`];
  }
  if (status === "Failed") return [`the install failed: ${text}`];
  const createMs = clusterMs(create);
  return createMs <= createClusterGoalMs
    ? []
    : [`create cluster took ${createMs} ms (goal ${createClusterGoalMs} ms)`];
}

async function requestOf({ arm, azure, serviceFile }: InstallWorld, each: InstallCase): Promise<object> {
  if (!each.identities) return arm.clusterRequest(each.cluster);
  const { subscriptionId } = arm;
  const place = {
    azure: (...asked: Parameters<WorldClient["azure"]>) => azure.azure(...asked),
    subscriptionId,
    serviceFile,
  };
  await createIdentities(place, each.cluster);
  return exampleRequest("20250725-identities", variablesFor(each.cluster, subscriptionId));
}

async function createGroup({ arm, azure }: InstallWorld, name: string): Promise<void> {
  const path = `/subscriptions/${arm.subscriptionId}/resourceGroups/${name}`;
  await azure.azure("PUT", path, "2021-04-01", { location: "eastus" });
}

function operationOf({ status, headers, body }: Response): string {
  const url = headers["azure-asyncoperation"];
  if (status >= 300 || typeof url !== "string") throw new Error(`${status} ${JSON.stringify(body)}`);
  return url;
}
