import { ignoreGone } from "@keelson/apimachinery";
import { valueAt } from "@keelson/base";
import { modifyObject } from "../registry/modify.ts";
import type { RegistryContext } from "../resources/registry-context.ts";
import type { StoreEvent } from "../storage/revision-store.ts";
import type { StoredObject } from "../storage/stored-object.ts";
import type { AddKey, StoreController } from "./store-controller.ts";

const bucket = "admissionregistration.k8s.io/validatingadmissionpolicies";
const policies = {
  group: "admissionregistration.k8s.io",
  version: "v1",
  resource: "validatingadmissionpolicies",
};

/**
 * Sets a policy's status to report that type checking is complete. The expressions were already checked when the policy was
 * written.
 */
export class PolicyStatusController implements StoreController {
  readonly name = "policy-status";
  readonly #context: RegistryContext;

  constructor(context: RegistryContext) {
    this.#context = context;
  }

  resume(add: AddKey): void {
    for (const stored of this.#context.store.range(bucket, "")) if (!isChecked(stored)) add(stored.key);
  }

  observe({ bucket: changed, current, deleted }: StoreEvent, add: AddKey): void {
    if (changed === bucket && !deleted && !isChecked(current)) add(current.key);
  }

  async reconcile(name: string): Promise<undefined> {
    const resource = this.#context.directory.get(policies);
    await modifyObject(this.#context, resource, name, "status", (current) => ({
      ...current,
      status: { observedGeneration: current.metadata.generation ?? 1, typeChecking: {} },
    })).catch(ignoreGone);
  }
}

function isChecked({ object }: StoredObject): boolean {
  return valueAt(object, "status", "observedGeneration") === (object.metadata.generation ?? 1);
}
