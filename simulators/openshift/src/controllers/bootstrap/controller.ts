import { type Controller, watchFor } from "@keelson/controller";
import { resources } from "../../base/resources.ts";
import type { Cluster } from "../../runtime/cluster.ts";
import { reconcileBootstrap } from "./reconcile.ts";

/** Records that the control plane has replaced the bootstrap machine. */
export const bootstrap: Controller<Cluster> = {
  name: "bootstrap",
  watches: [watchFor(resources.clusterOperators, { name: "bootstrap" })],
  reconcile: reconcileBootstrap,
};
