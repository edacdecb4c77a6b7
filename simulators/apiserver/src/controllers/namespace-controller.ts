import { ignoreGone, type KubeObject, type ObjectMeta, sharedTurns } from "@keelson/apimachinery";
import { messageOf, stringsAt } from "@keelson/base";
import { createObject } from "../registry/create.ts";
import { modifyObject } from "../registry/modify.ts";
import { removeObject } from "../registry/remove.ts";
import { type RegistryContext, timestamp } from "../resources/registry-context.ts";
import type { StoreEvent } from "../storage/revision-store.ts";
import type { StoredObject } from "../storage/stored-object.ts";
import { type Remainder, withDeletionConditions } from "./namespace-conditions.ts";
import type { AddKey, StoreController } from "./store-controller.ts";

const bucket = "/namespaces";
const ownFinalizer = "kubernetes";
const defaultsIn: ReadonlySet<string> = new Set(["/serviceaccounts", "/configmaps"]);

/** Number of objects to delete before the controller yields to other requests. */
const removedAtOnce = 50;
/** Maximum number of failures in a log line. */
const maxShown = 20;

interface Content {
  readonly bucket: string;
  readonly stored: StoredObject;
}

/**
 * Creates the default ServiceAccount and the CA ConfigMap of each namespace. Deletes the content of
 * terminating namespaces and finalizes them.
 */
export class NamespaceController implements StoreController {
  readonly name = "namespace";
  readonly #context: RegistryContext;
  readonly #authorityPem: string;

  constructor(context: RegistryContext, authorityPem: string) {
    this.#context = context;
    this.#authorityPem = authorityPem;
  }

  resume(add: AddKey): void {
    for (const { key } of this.#context.store.range(bucket, "")) add(key);
  }

  observe({ bucket: changed, current, deleted }: StoreEvent, add: AddKey): void {
    if (changed === bucket) {
      if (!deleted) add(current.key);
      return;
    }
    const slash = current.key.indexOf("/");
    if (!deleted || slash < 0) return;
    const namespace = current.key.slice(0, slash);
    const owner = this.#context.store.get(bucket, namespace);
    if (owner?.object.metadata.deletionTimestamp || (owner && defaultsIn.has(changed))) add(namespace);
  }

  async reconcile(name: string): Promise<undefined> {
    const stored = this.#context.store.get(bucket, name);
    if (!stored) return;
    if (stored.object.metadata.deletionTimestamp) await this.#empty(name);
    else await this.#addDefaults(name);
  }

  async #addDefaults(namespace: string): Promise<void> {
    await this.#ensure(namespace, "serviceaccounts", { metadata: { name: "default" } });
    await this.#ensure(namespace, "configmaps", {
      metadata: {
        name: "kube-root-ca.crt",
        annotations: {
          "kubernetes.io/description": "The certificate authority that verifies this cluster's API server.",
        },
      },
      data: { "ca.crt": this.#authorityPem },
    });
  }

  async #ensure(
    namespace: string,
    plural: string,
    body: { readonly metadata: ObjectMeta; readonly [member: string]: unknown },
  ): Promise<void> {
    const { store, directory } = this.#context;
    const resource = directory.get({ group: "", version: "v1", resource: plural });
    const key = `${namespace}/${body.metadata.name}`;
    const { metadata: _, ...content } = body;
    if (!store.get(resource.bucket, key)) await createObject(this.#context, resource, namespace, body);
    else await modifyObject(this.#context, resource, key, "main", (current) => ({ ...current, ...content }));
  }

  async #empty(namespace: string): Promise<void> {
    const failures: string[] = [];
    const content = this.#content(namespace);
    for (let at = 0; at < content.length; at += removedAtOnce) {
      const some = content.slice(at, at + removedAtOnce);
      failures.push(...(await Promise.all(some.map((each) => this.#remove(each)))).flat());
      await sharedTurns.wait(this.#context.store);
    }
    const left = this.#content(namespace);
    const finalizers = stringsAt(this.#context.store.get(bucket, namespace)?.object, "spec", "finalizers");
    if (left.length === 0 && finalizers.every((each) => each === ownFinalizer)) {
      await this.#modify(namespace, "finalize", withoutFinalizer);
      return;
    }
    const remainders: Remainder[] = [];
    for (const { bucket: each, stored } of left) {
      remainders.push({ bucket: each, finalizers: stored.object.metadata.finalizers ?? [] });
      if (remainders.length % removedAtOnce === 0) await sharedTurns.wait(this.#context.store);
    }
    const now = timestamp(this.#context.clock);
    await this.#modify(namespace, "status", (current) =>
      withDeletionConditions(current, remainders, failures, now),
    );
    if (left.length === 0) await this.#modify(namespace, "finalize", withoutFinalizer);
    // Remaining objects cause no retry here, because the controller runs again when the last finalizer of an object is removed.
    // Failures are retried.
    if (failures.length > 0) throw new Error(failures.slice(0, maxShown).join(", "));
  }

  /** Deletes an object. Returns failure messages. */
  async #remove({ bucket: each, stored }: Content): Promise<readonly string[]> {
    const resource = this.#context.directory.findBucket(each);
    if (!resource) return [];
    try {
      await removeObject(this.#context, resource, stored.key).catch(ignoreGone);
      return [];
    } catch (error) {
      return [messageOf(error)];
    }
  }

  #content(namespace: string): readonly Content[] {
    const { store } = this.#context;
    return store
      .buckets()
      .flatMap((each) => store.range(each, `${namespace}/`).map((stored) => ({ bucket: each, stored })));
  }

  async #modify(
    name: string,
    part: "status" | "finalize",
    change: (namespace: KubeObject) => KubeObject,
  ): Promise<void> {
    const resource = this.#context.directory.get({ group: "", version: "v1", resource: "namespaces" });
    await modifyObject(this.#context, resource, name, part, change, { subresource: part }).catch(ignoreGone);
  }
}

/** Removes this controller's finalizer. Other controllers remove their own finalizers. */
function withoutFinalizer(namespace: KubeObject): KubeObject {
  const finalizers = stringsAt(namespace, "spec", "finalizers").filter((each) => each !== ownFinalizer);
  return {
    ...namespace,
    apiVersion: namespace.apiVersion,
    kind: namespace.kind,
    metadata: namespace.metadata,
    spec: finalizers.length > 0 ? { finalizers } : {},
  };
}
