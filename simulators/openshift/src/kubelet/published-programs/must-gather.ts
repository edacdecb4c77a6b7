import { listAt, stringAt } from "@keelson/base";
import {
  type Fields,
  type KubeClient,
  KubeError,
  type KubeObject,
  type KubePage,
  type KubeResource,
  objectFields,
} from "@keelson/kube";
import { resources } from "../../base/resources.ts";
import type { CommandIo } from "../containers/command.ts";
import { fileName, GatheredFiles } from "./gathered-files.ts";
import { clusterResources, namespaceResources } from "./must-gather-resources.ts";

/** Maximum total number of collected bytes. The limit is necessary because a cluster can contain any number of objects. */
const maxBytes = 64 * 1_024 * 1_024;
/** Maximum number of collected bytes of one kind in one namespace. */
const maxListBytes = 16 * 1_024 * 1_024;
/** Maximum size in bytes of the log of a container run. */
const maxLogBytes = 1_024 * 1_024;
/** Number of objects per page. The client accepts a page in which all objects have the maximum size of 1.5 MiB. */
const pageSize = 40;

/**
 * Collects the objects and pod logs of the platform in the directory layout of `oc adm inspect`. Secrets are excluded. Objects
 * that the pod's service account may not read are skipped with a message.
 * @see openshift/must-gather collection-scripts/gather
 */
export async function gather(io: CommandIo, kube: KubeClient): Promise<void> {
  const files = new GatheredFiles({ io, maxBytes, maxListBytes });
  const collection = new Collection(io, kube, files);
  await files.write("version", "openshift/must-gather\n");
  for (const resource of clusterResources) await collection.clusterScoped(resource);
  for (const name of await collection.platformNamespaces()) {
    if (files.isFull) break;
    await collection.namespace(name);
  }
  await io.stdout(
    files.isFull
      ? `Wrote inspect data to must-gather. The limit of ${maxBytes} bytes is reached, so the data is incomplete.\n`
      : "Wrote inspect data to must-gather.\n",
  );
}

/** True for namespaces that belong to OpenShift. Temporary namespaces of must-gather are excluded. */
function isPlatform(name: string): boolean {
  if (name.startsWith("openshift-must-gather-")) return false;
  return ["default", "kube-system", "openshift"].includes(name) || name.startsWith("openshift-");
}

/** Removes the managed fields, as `oc adm inspect` does. */
function withoutManagedFields(object: KubeObject): KubeObject {
  const { managedFields: _, ...metadata }: KubeObject["metadata"] & { readonly managedFields?: unknown } =
    object.metadata;
  return { ...object, metadata };
}

class Collection {
  readonly #io: CommandIo;
  readonly #kube: KubeClient;
  readonly #files: GatheredFiles;

  constructor(io: CommandIo, kube: KubeClient, files: GatheredFiles) {
    this.#io = io;
    this.#kube = kube;
    this.#files = files;
  }

  async clusterScoped(resource: KubeResource): Promise<void> {
    const directory = `cluster-scoped-resources/${resource.group || "core"}/${resource.plural}`;
    await this.#files.writeObjects(directory, this.#objects(resource));
  }

  async platformNamespaces(): Promise<readonly string[]> {
    const names: string[] = [];
    for await (const { metadata } of this.#objects(resources.namespaces, {}, objectFields({})))
      if (isPlatform(metadata.name)) names.push(metadata.name);
    return names;
  }

  async namespace(name: string): Promise<void> {
    await this.#io.stdout(`Gathering data for ns/${name}...\n`);
    const directory = `namespaces/${name}`;
    const selection = { fieldSelector: `metadata.name=${name}` };
    for await (const namespace of this.#objects(resources.namespaces, selection))
      await this.#files.writeObject(`${directory}/${name}.yaml`, namespace);
    for (const resource of namespaceResources) {
      const { group, version, kind, plural } = resource;
      const apiVersion = group ? `${group}/${version}` : version;
      await this.#files.writeList(
        `${directory}/${group || "core"}/${plural}.yaml`,
        { apiVersion, kind },
        this.#objects(resource, { namespace: name }),
        async (object) => {
          if (plural === "pods") await this.#pod(directory, object);
        },
      );
    }
  }

  async #pod(namespaceDirectory: string, pod: KubeObject): Promise<void> {
    const { name, namespace = "" } = pod.metadata;
    const directory = `${namespaceDirectory}/pods/${fileName(name)}`;
    await this.#files.writeObject(`${directory}/${fileName(name, ".yaml")}`, pod);
    for (const container of listAt(pod, "spec", "containers")) {
      if (this.#files.isFull) return;
      const each = stringAt(container, "name") ?? "";
      const log = await this.#log({ namespace, name }, each);
      if (log !== undefined) await this.#files.write(`${directory}/${each}/${each}/logs/current.log`, log);
    }
  }

  /** Returns the log of a container. `undefined` if the container has not started. */
  async #log(pod: { readonly namespace: string; readonly name: string }, container: string) {
    const chunks: Buffer[] = [];
    try {
      const options = { container, limitBytes: maxLogBytes };
      for await (const chunk of this.#kube.logs(pod, options, this.#io.signal)) chunks.push(chunk);
    } catch (error) {
      if (!(error instanceof KubeError)) throw error;
      return undefined;
    }
    return Buffer.concat(chunks);
  }

  /**
   * Reads the objects of a kind page by page. There are no objects if the cluster does not serve the kind, or if the account may not
   * read it.
   */
  async *#objects(
    resource: KubeResource,
    selection: { readonly namespace?: string; readonly fieldSelector?: string } = {},
    fields: Fields = true,
  ): AsyncGenerator<KubeObject> {
    let page: KubePage | undefined;
    while (!this.#files.isFull && (page === undefined || page.continue !== undefined)) {
      const next = page?.continue === undefined ? {} : { continue: page.continue };
      try {
        const selected = { ...selection, ...next, fields, limit: pageSize };
        page = await this.#kube.page(resource, selected, this.#io.signal);
      } catch (error) {
        if (!(error instanceof KubeError)) throw error;
        await this.#io.stderr(`error: unable to list ${resource.plural}: ${error.message}\n`);
        return;
      }
      for (const object of page.items) yield withoutManagedFields(object);
    }
  }
}
