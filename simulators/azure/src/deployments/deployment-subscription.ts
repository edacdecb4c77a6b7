import type { Subscription } from "../arm/subscription.ts";
import type { DeploymentHistory } from "./history.ts";

/** Subscription with a deployment history. */
export interface DeploymentSubscription extends Subscription {
  readonly deployments: DeploymentHistory;
}
