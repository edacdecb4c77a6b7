import { type Controller, done } from "@keelson/controller";
import type { KubeResource } from "@keelson/kube";
import { patchStatus } from "../objects/status-patch.ts";
import { type OperatorParts, operatorController } from "../operator/operator-controller.ts";
import { operatorChanged } from "../operator/operator-resource.ts";

/** Removes conditions that no version of the operator writes any more: their last status would count for ever. */
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
