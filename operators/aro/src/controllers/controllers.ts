import type { OperatorRole } from "@keelson/aro-api";
import { knownConditions } from "../runtime/condition-types.ts";
import { type RegisteredController, runsAs } from "../runtime/registered-controller.ts";
import { controllers } from "./controllers.generated.ts";

/** Controllers of each operator role. */
export const controllersOf: Readonly<Record<OperatorRole, readonly RegisteredController[]>> = {
  master: controllers.filter((each) => runsAs(each, "master")),
  worker: controllers.filter((each) => runsAs(each, "worker")),
};

/** True for condition types of the Cluster that a controller sets. */
export const isKnownCondition = knownConditions(controllers);
