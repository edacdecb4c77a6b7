import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { listAt, stringAt } from "@keelson/base";
import { type KubeClient, KubeError, type KubeObject, type KubeResource } from "@keelson/kube";
import { stringify } from "yaml";
import { resources } from "../../base/resources.ts";
import type { CommandIo } from "../containers/command.ts";
import { clusterResources, namespaceResources } from "./must-gather-resources.ts";

/** Directory that `oc adm must-gather` copies. */
const target = "/must-gather";
/** Limit of the collected bytes. A cluster can contain any number of objects. */
const maxBytes = 64 * 1_024 * 1_024;
/** Maximum size in bytes of the log of a container run. */
const maxLogBytes = 1_024 * 1_024;

/**
 * Collects the objects and pod logs of the platform in the directory layout of `oc adm inspect`. Secrets are excluded. Objects
 * that the pod's service account may not read are skipped with a message.
 * @see openshift/must-gather collection-scripts/gather
 */
export async function gather(io: CommandIo, kube: KubeClient): Promise<void> {
  const collection = new Collection(io, kube);
  await collection.write("version", "openshift/must-gather\n");
  for (const resource of clusterResources) await collection.clusterScoped(resource);
  const namespaces = (await collection.list(resources.namespaces)).filter(({ metadata: { name } }) =>
    isPlatform(name),
  );
  for (const namespace of namespaces) await collection.namespace(namespace);
  await io.stdout(
    collection.isFull
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
  #bytes = 0;

  constructor(io: CommandIo, kube: KubeClient) {
    this.#io = io;
    this.#kube = kube;
  }

  /** True if the byte limit is reached. Further files are not written. */
  get isFull(): boolean {
    return this.#bytes >= maxBytes;
  }

  async clusterScoped(resource: KubeResource): Promise<void> {
    const directory = `cluster-scoped-resources/${resource.group || "core"}/${resource.plural}`;
    for (const object of await this.list(resource))
      await this.#writeObject(`${directory}/${object.metadata.name}.yaml`, object, resource);
  }

  async namespace(namespace: KubeObject): Promise<void> {
    const { name } = namespace.metadata;
    await this.#io.stdout(`Gathering data for ns/${name}...\n`);
    const directory = `namespaces/${name}`;
    await this.#writeObject(`${directory}/${name}.yaml`, namespace, resources.namespaces);
    for (const resource of namespaceResources) {
      const items = await this.list(resource, name);
      if (items.length === 0) continue;
      const kind = `${resource.kind}List`;
      const apiVersion = resource.group ? `${resource.group}/${resource.version}` : resource.version;
      const file = `${directory}/${resource.group || "core"}/${resource.plural}.yaml`;
      await this.write(file, `---\n${stringify({ apiVersion, kind, items })}`);
      if (resource.plural === "pods") for (const pod of items) await this.#pod(directory, pod);
    }
  }

  async #pod(directory: string, pod: KubeObject): Promise<void> {
    const { name, namespace = "" } = pod.metadata;
    await this.#writeObject(`${directory}/pods/${name}/${name}.yaml`, pod, resources.pods);
    for (const container of listAt(pod, "spec", "containers")) {
      const each = stringAt(container, "name") ?? "";
      const log = await this.#log({ namespace, name }, each);
      if (log !== undefined)
        await this.write(`${directory}/pods/${name}/${each}/${each}/logs/current.log`, log);
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
    return Buffer.concat(chunks).toString();
  }

  /** Returns the objects of a kind. The list is empty if the cluster does not serve the kind, or if the account may not read it. */
  async list(resource: KubeResource, namespace?: string): Promise<readonly KubeObject[]> {
    if (this.isFull) return [];
    try {
      const selection = namespace === undefined ? {} : { namespace };
      const { items } = await this.#kube.list(resource, selection, this.#io.signal);
      return items.map(withoutManagedFields);
    } catch (error) {
      if (!(error instanceof KubeError)) throw error;
      await this.#io.stderr(`error: unable to list ${resource.plural}: ${error.message}\n`);
      return [];
    }
  }

  async #writeObject(
    path: string,
    object: KubeObject,
    { group, version, kind }: KubeResource,
  ): Promise<void> {
    const apiVersion = group ? `${group}/${version}` : version;
    await this.write(path, `---\n${stringify({ ...object, apiVersion, kind })}`);
  }

  /** Writes a file below the target directory. */
  async write(path: string, content: string): Promise<void> {
    if (this.isFull) return;
    this.#bytes += Buffer.byteLength(content);
    const file = await this.#io.files.resolveForWriting(`${target}/${path}`);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
    // Serializing many objects must not delay other work of this process.
    await nextTurn();
    this.#io.signal.throwIfAborted();
  }
}
