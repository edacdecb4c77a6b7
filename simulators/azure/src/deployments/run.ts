import type { JsonObject } from "@keelson/base";
import { type Subscription, timestamp } from "../arm/subscription.ts";
import type { ArmCalls, Deployer } from "./arm-calls.ts";
import type { Deployment } from "./deployment.ts";
import type { DeploymentSubscription } from "./deployment-subscription.ts";
import type { DeploymentHistory } from "./history.ts";
import { providersOf, shownDependencies } from "./prepare.ts";
import type { Prepared } from "./prepared.ts";
import type { RuntimeLookups } from "./runtime-lookups.ts";

export interface RunDeps {
  readonly subscription: DeploymentSubscription;
  readonly history: DeploymentHistory;
  readonly calls: ArmCalls;
}

/** Deployment in progress. */
export interface Run {
  readonly runId: string;
  readonly prepared: Prepared;
  readonly deployer: Deployer;
  readonly signal: AbortSignal;
}

export interface Outcome {
  readonly outputs: JsonObject;
  /** IDs of the written resources, including resources of nested deployments. */
  readonly written: readonly string[];
}

/** Returns the history entry of a started deployment. */
export function begun(
  subscription: Subscription,
  prepared: Prepared,
  correlationId: string,
  runId: string,
): Deployment {
  const now = timestamp(subscription);
  return {
    id: prepared.id,
    name: prepared.name,
    runId,
    correlationId,
    mode: prepared.mode,
    templateHash: prepared.hash,
    state: "Running",
    startedAt: now,
    timestamp: now,
    parameters: prepared.shownParameters,
    providers: providersOf(prepared),
    dependencies: shownDependencies(prepared),
    operations: [],
  };
}

/** Runs a deployment to completion. @throws ArmError 409 DeploymentFailed */
export type Conduct = (deps: RunDeps, run: Run, lookups: RuntimeLookups) => Promise<Outcome>;
