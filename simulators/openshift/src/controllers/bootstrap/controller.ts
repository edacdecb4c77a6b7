import { type Controller, watchFor } from "@keelson/controller";
import { resources } from "../../base/resources.ts";
import type { Cluster } from "../../runtime/cluster.ts";
import { reconcileBootstrap } from "./reconcile.ts";

/** The bootstrap machine's last act: saying that the control plane stands on its own. */
export const bootstrap: Controller<Cluster> = {
  name: "bootstrap",
  watches: [watchFor(resources.clusterOperators, { name: "bootstrap" })],
  reconcile: reconcileBootstrap,
};
