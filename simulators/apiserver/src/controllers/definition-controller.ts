import { conditionIsTrue, ignoreGone, type KubeObject } from "@keelson/apimachinery";
import { valueAt } from "@keelson/base";
import { instanceCleanup, type Termination, withoutCleanup, withTermination } from "@keelson/schema";
import { resourcesOf } from "../definitions/custom-definition.ts";
import { modifyObject } from "../registry/modify.ts";
import { removeObject } from "../registry/remove.ts";
import { type RegistryContext, timestamp } from "../resources/registry-context.ts";
import type { StoreEvent } from "../storage/revision-store.ts";
import type { StoredObject } from "../storage/stored-object.ts";
import type { AddKey, StoreController } from "./store-controller.ts";

const bucket = "apiextensions.k8s.io/customresourcedefinitions";
const definitions = { group: "apiextensions.k8s.io", version: "v1", resource: "customresourcedefinitions" };

/**
 * Controller of CustomResourceDefinitions. It serves their resources and accepts names when they become free. Before a definition
 * is removed, the controller deletes the instances.
 */
export class DefinitionController implements StoreController {
  readonly name = "definition";
  readonly #context: RegistryContext;
  readonly #declared = new Map<string, Declared>();

  constructor(context: RegistryContext) {
    this.#context = context;
  }

  /** Serves the resources of all stored definitions. */
  resume(add: AddKey): void {
    for (const stored of this.#context.store.range(bucket, "")) {
      this.#declare(stored, add);
      if (!conditionIsTrue(stored.object, "NamesAccepted")) add(stored.key);
    }
  }

  observe({ bucket: changed, current, deleted }: StoreEvent, add: AddKey): void {
    if (changed === bucket) {
      if (!deleted) this.#declare(current, add);
      else this.#withdraw(current.key, add);
      return;
    }
    if (!deleted) return;
    const definition = this.#context.store.get(bucket, definitionOf(changed));
    if (definition?.object.metadata.deletionTimestamp) add(definition.key);
  }

  #declare({ key, revision, object }: StoredObject, add: AddKey): void {
    const { uid = "", generation = 0, deletionTimestamp } = object.metadata;
    const known = this.#declared.get(key);
    const names = JSON.stringify(valueAt(object.status, "acceptedNames"));
    const is = `${uid} ${generation} ${names}`;
    const declared = known?.is === is ? known : { is, revision, end: new AbortController() };
    this.#declared.set(key, declared);
    const { directory } = this.#context;
    directory.declare(key, resourcesOf(object, { ...declared, retired: declared.end.signal }));
    if (known !== declared) known?.end.abort();
    if (directory.acceptedNames.accept(object)) this.#addWaiting(key, add);
    if (deletionTimestamp) add(key);
  }

  #withdraw(name: string, add: AddKey): void {
    const known = this.#declared.get(name);
    this.#declared.delete(name);
    const { directory } = this.#context;
    directory.declare(name, []);
    known?.end.abort();
    directory.acceptedNames.release(name);
    this.#addWaiting(name, add);
  }

  /** Queues all definitions that wait for a name in the group of the definition `name`. */
  #addWaiting(name: string, add: AddKey): void {
    for (const each of this.#context.directory.acceptedNames.waitingBeside(name)) add(each);
  }

  async reconcile(name: string): Promise<undefined> {
    const { store, directory } = this.#context;
    const stored = store.get(bucket, name);
    if (!stored) return;
    // A write without a change is sufficient, because every status write evaluates the names again.
    if (!conditionIsTrue(stored.object, "NamesAccepted")) await this.#write(name, (definition) => definition);
    const { deletionTimestamp, finalizers } = stored.object.metadata;
    if (!deletionTimestamp || !finalizers?.includes(instanceCleanup)) return;
    await this.#terminate(name, "inProgress");
    if (!conditionIsTrue(store.get(bucket, name)?.object, "Established")) {
      await this.#terminate(name, "neverEstablished");
      return;
    }
    const instances = instancesOf(stored.object);
    const resource = directory.findBucket(instances);
    if (resource) {
      const keys = store.range(instances, "").map((each) => each.key);
      await Promise.all(keys.map((key) => removeObject(this.#context, resource, key).catch(ignoreGone)));
    }
    // The termination resumes when the last finalizer of an instance is removed, because this removal causes an event.
    if (store.range(instances, "").length > 0) return;
    await this.#terminate(name, "completed");
  }

  /** Sets the Terminating condition. If no instances remain, removes the finalizer. */
  #terminate(name: string, termination: Termination): Promise<void> {
    return this.#write(name, (definition) => {
      const said = withTermination(definition, termination, timestamp(this.#context.clock));
      return termination === "inProgress" ? said : withoutCleanup(said);
    });
  }

  async #write(name: string, change: (definition: KubeObject) => KubeObject): Promise<void> {
    const ofDefinitions = this.#context.directory.get(definitions);
    await modifyObject(this.#context, ofDefinitions, name, "status", change).catch(ignoreGone);
  }
}

/** Properties of a definition that affect watches of its instances. If one of these properties changes, the watches end. */
interface Declared {
  /** UID, generation and names of the definition. */
  readonly is: string;
  /** Last revision at which `is` changed. */
  readonly revision: number;
  readonly end: AbortController;
}

/** Converts the name `plural.group` of a definition to the bucket `group/plural`. */
function instancesOf({ metadata: { name } }: KubeObject): string {
  const dot = name.indexOf(".");
  return `${name.slice(dot + 1)}/${name.slice(0, dot)}`;
}

function definitionOf(instances: string): string {
  const [group, plural] = instances.split("/");
  return `${plural}.${group}`;
}
