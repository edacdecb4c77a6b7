import type { Subscription } from "../arm/subscription.ts";
import type { DeploymentHistory } from "./history.ts";

/** What deployments work with. */
export interface DeploymentSubscription extends Subscription {
  readonly deployments: DeploymentHistory;
}
