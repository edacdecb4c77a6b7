import { messageOf } from "@keelson/base";
import { type Controller, done, named, type Watch, watchFor } from "@keelson/controller";
import type { KubeResource } from "@keelson/kube";
import { ensureData } from "../objects/managed-data.ts";
import type { ManagedObjects, WantedObject } from "../objects/managed-objects.ts";
import {
  type OperatorParts,
  type OperatorRequest,
  operatorController,
} from "../operator/operator-controller.ts";
import { operatorKey } from "../operator/operator-resource.ts";

export interface StaticResource<Parts extends OperatorParts> {
  readonly resource: KubeResource;
  readonly object: WantedObject;
  /** Returns true if the object must exist, and false if the object must be deleted. Default: always true. */
  readonly when?: (request: OperatorRequest<Parts>) => boolean;
}

export interface StaticResourcesOptions<Parts extends OperatorParts> {
  /** Resource of the operator's configuration. */
  readonly resource: KubeResource;
  /** Name in the condition and in the field manager, for example `KubeAPIServerStaticResources`. */
  readonly name: string;
  /** Objects, in the order in which they are created. */
  readonly objects: readonly StaticResource<Parts>[];
  /**
   * Namespaces in which other controllers of the operator watch all objects. Objects in these namespaces need no separate watch.
   */
  readonly namespaces: readonly string[];
}

/**
 * Reconciles objects with fixed content, which does not depend on the cluster. If an object fails, the reconcile continues with
 * the next object.
 */
export function staticResources<Parts extends OperatorParts>({
  resource,
  name,
  objects: wanted,
  namespaces,
}: StaticResourcesOptions<Parts>): Controller<Parts> {
  return operatorController<Parts>(resource, {
    name,
    degraded: { type: `${name}Degraded`, failed: "SyncError", fine: "AsExpected" },
    watches: wanted.map((each) => watchOf(each, namespaces)),
    resyncMs: 600_000,
    async reconcile(request) {
      const failures: string[] = [];
      for (const { resource, object, when = () => true } of wanted) {
        const { name, namespace } = object.metadata;
        try {
          if (when(request)) await ensureStatic(request.objects, resource, object);
          else
            await request.objects.remove(resource, namespace === undefined ? { name } : { name, namespace });
        } catch (error) {
          if (request.signal.aborted) throw error;
          failures.push(`${resource.kind} ${name}: ${messageOf(error)}`);
        }
      }
      if (failures.length > 0) throw new Error(failures.join("\n"));
      return done;
    },
  });
}

/**
 * Reconciles one object. A ConfigMap or Secret gets exactly the wanted data. Objects of other kinds keep fields of other writers.
 */
async function ensureStatic(
  objects: ManagedObjects,
  resource: KubeResource,
  object: WantedObject,
): Promise<void> {
  if (resource.group === "" && (resource.kind === "ConfigMap" || resource.kind === "Secret"))
    await ensureData(objects, resource, object);
  else await objects.ensure(resource, object);
}

function watchOf(
  { resource, object: { metadata } }: Pick<StaticResource<never>, "resource" | "object">,
  namespaces: readonly string[],
): Watch<unknown> {
  const { name, namespace } = metadata;
  const fieldSelector = `metadata.name=${name}`;
  const whole = namespace !== undefined && namespaces.includes(namespace);
  const selection =
    namespace === undefined ? { fieldSelector } : whole ? { namespace } : { namespace, fieldSelector };
  return watchFor(resource, operatorKey, { selection, where: named(name) });
}
