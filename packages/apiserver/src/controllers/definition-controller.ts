import { resourcesOf } from "../custom/custom-definition.ts";
import { instanceCleanup } from "../custom/definition-rules.ts";
import { arrayAt, textAt } from "../json/access.ts";
import type { KubeObject } from "../kube-object.ts";
import { modifyObject } from "../registry/modify.ts";
import type { RegistryContext } from "../registry/registry-context.ts";
import { removeObject } from "../registry/remove.ts";
import { ignoreGone } from "../status/status-error.ts";
import type { StoreEvent } from "../storage/revision-store.ts";
import type { StoredObject } from "../storage/stored-object.ts";
import { WorkQueue, type WorkQueueDeps } from "./work-queue.ts";

const bucket = "apiextensions.k8s.io/customresourcedefinitions";
const definitions = { group: "apiextensions.k8s.io", version: "v1", resource: "customresourcedefinitions" };

/** Serves what CustomResourceDefinitions declare, and removes the instances before a definition goes. */
export class DefinitionController {
  readonly #context: RegistryContext;
  readonly #queue: WorkQueue;
  /** The revision at which each definition last changed what it declares, with that generation. */
  readonly #declared = new Map<
    string,
    { readonly uid: string; readonly generation: number; readonly revision: number }
  >();

  constructor(context: RegistryContext, deps: WorkQueueDeps) {
    this.#context = context;
    this.#queue = new WorkQueue("definition", (name) => this.#reconcile(name), deps);
  }

  /** Declares every stored definition. */
  resume(): void {
    for (const stored of this.#context.store.range(bucket, "")) this.#declare(stored);
  }

  observe({ bucket: changed, current, deleted }: StoreEvent): void {
    if (changed === bucket) {
      if (!deleted) this.#declare(current);
      else this.#withdraw(current.key);
      return;
    }
    if (!deleted) return;
    const definition = this.#context.store.get(bucket, definitionOf(changed));
    if (definition?.object.metadata.deletionTimestamp) this.#queue.add(definition.key);
  }

  #declare({ key, revision, object }: StoredObject): void {
    const { uid = "", generation = 0, deletionTimestamp } = object.metadata;
    const known = this.#declared.get(key);
    const same =
      known?.uid === uid && known.generation === generation ? known : { uid, generation, revision };
    this.#declared.set(key, same);
    this.#context.directory.declare(key, resourcesOf(object, same.revision));
    if (deletionTimestamp) this.#queue.add(key);
  }

  #withdraw(name: string): void {
    this.#declared.delete(name);
    this.#context.directory.declare(name, []);
  }

  async #reconcile(name: string): Promise<void> {
    const { store, directory } = this.#context;
    const stored = store.get(bucket, name);
    if (!stored?.object.metadata.finalizers?.includes(instanceCleanup)) return;
    const ofDefinitions = directory.get(definitions);
    // What is written anew says that it is terminating: instances may keep it waiting.
    if (!isTerminating(stored.object)) {
      await modifyObject(this.#context, ofDefinitions, name, "status", (definition) => definition).catch(
        ignoreGone,
      );
    }
    const instances = instancesOf(stored.object);
    const resource = directory.findBucket(instances);
    if (resource) {
      const keys = store.range(instances, "").map((each) => each.key);
      await Promise.all(keys.map((key) => removeObject(this.#context, resource, key).catch(ignoreGone)));
    }
    // What finalizers hold back comes again as an event when it goes.
    if (store.range(instances, "").length > 0) return;
    await modifyObject(this.#context, ofDefinitions, name, "main", withoutCleanup).catch(ignoreGone);
  }
}

function isTerminating(definition: KubeObject): boolean {
  return arrayAt(definition, "status", "conditions").some((each) => textAt(each, "type") === "Terminating");
}

function withoutCleanup(definition: KubeObject): KubeObject {
  const finalizers = definition.metadata.finalizers?.filter((each) => each !== instanceCleanup) ?? [];
  return { ...definition, metadata: { ...definition.metadata, finalizers } };
}

/** `group/plural` of a definition called `plural.group`, and the way back. */
function instancesOf({ metadata: { name } }: KubeObject): string {
  const dot = name.indexOf(".");
  return `${name.slice(dot + 1)}/${name.slice(0, dot)}`;
}

function definitionOf(instances: string): string {
  const [group, plural] = instances.split("/");
  return `${plural}.${group}`;
}
