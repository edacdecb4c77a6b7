import type { Controller } from "../../runtime/controller.ts";
import { resources } from "../../runtime/resources.ts";
import { reconcileBootstrap } from "./reconcile.ts";

/** The bootstrap machine's last act: saying that the control plane stands on its own. */
export const bootstrap: Controller = {
  name: "bootstrap",
  watches: [{ on: "objects", resource: resources.clusterOperators, keys: () => ["bootstrap"] }],
  reconcile: reconcileBootstrap,
};
