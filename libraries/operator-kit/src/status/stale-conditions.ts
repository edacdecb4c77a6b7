import { type Controller, done } from "@keelson/controller";
import type { KubeResource } from "@keelson/kube";
import { patchStatus } from "../objects/status-patch.ts";
import { type OperatorParts, operatorController } from "../operator/operator-controller.ts";
import { operatorChanged } from "../operator/operator-resource.ts";

/**
 * Removes conditions of earlier releases that no controller writes any more. Without the removal, their last status would apply
 * forever.
 */
export function staleConditions<Parts extends OperatorParts>(
  resource: KubeResource,
  types: readonly string[],
): Controller<Parts> {
  return operatorController<Parts>(resource, {
    name: "RemoveStaleConditionsController",
    watches: [operatorChanged(resource)],
    async reconcile({ configuration, parts: { api, clock }, signal }) {
      const obsolete = (type: string) => types.includes(type);
      await patchStatus(api, resource, configuration, { obsolete }, clock.now(), signal);
      return done;
    },
  });
}
