import { setTimeout as delay } from "node:timers/promises";
import { listAt, valueAt } from "@keelson/base";
import { apiServers, type TestApiServer } from "@keelson/controller/testing";
import {
  apiVersionOf,
  conditionStatus,
  connectKube,
  type KubeClient,
  type KubeObject,
  type KubeResource,
  resources,
} from "@keelson/kube";
import { eventually, openShiftCrds } from "@keelson/sim-openshift/testing";

/** One API server of a test file, with kinds of OpenShift. */
export interface KitCluster extends AsyncDisposable {
  /** As administrator. */
  readonly api: KubeClient;
  readonly kubeconfig: string;
  /** Of a user with the rights that roles give, for example a service account. */
  kubeconfigOf(userName: string): Promise<string>;
  /** Another client, of the administrator where no kubeconfig says otherwise, open until the server ends. */
  connect(fieldManager: string, kubeconfig?: string): KubeClient;
  readonly signal: AbortSignal;
  /** Creates or merges; a status goes through its subresource. Missing namespaces are created. */
  put(
    resource: KubeResource,
    object: Partial<KubeObject> & Pick<KubeObject, "metadata">,
  ): Promise<KubeObject>;
  /** Waits until `check` throws no more. */
  eventually<T>(check: () => T | Promise<T>): Promise<T>;
}

export interface KitClusterOptions {
  /** Kinds of OpenShift, and of others, that the server serves besides its own. */
  readonly kinds: readonly KubeResource[];
  /** CustomResourceDefinitions besides those. */
  readonly definitions?: readonly KubeObject[];
  /** With schemas that take anything for those kinds, as releases of which we know nothing may have. */
  readonly anySchema?: boolean;
  /** Whose schemas those kinds have; `Default` when absent. */
  readonly featureSet?: Parameters<typeof openShiftCrds>[0];
  /** After it requests fail; five minutes when absent. */
  readonly limitMs?: number;
}

/** What tests of operators run against: this repository's API server, and a real one where there is one. */
export const kitServers = apiServers.map(({ name, start }) => ({
  name,
  start: async (options: KitClusterOptions) => startCluster(await start(), options),
}));

async function startCluster(server: TestApiServer, options: KitClusterOptions): Promise<KitCluster> {
  const signal = AbortSignal.timeout(options.limitMs ?? 300_000);
  const clients: KubeClient[] = [];
  const connect = (fieldManager: string, kubeconfig = server.kubeconfig) => {
    const client = connectKube({ kubeconfig, userAgent: `${fieldManager}/1`, fieldManager });
    clients.push(client);
    return client;
  };
  const api = connect("test");
  await serve(api, options, signal);
  return {
    api,
    connect,
    kubeconfig: server.kubeconfig,
    kubeconfigOf: (userName) => server.kubeconfigOf(userName),
    signal,
    async put(resource, { status, ...object }) {
      const { name, namespace: within } = object.metadata;
      if (within !== undefined) await namespace(api, within, signal);
      const whole = { ...object, apiVersion: apiVersionOf(resource), kind: resource.kind };
      await api.ensure(resource, whole, signal);
      const key = within === undefined ? { name } : { name, namespace: within };
      return status === undefined
        ? api.get(resource, key, signal)
        : api.mergePatch(resource, key, { status }, signal, "status");
    },
    eventually,
    async [Symbol.asyncDispose]() {
      for (const client of clients) await client[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

async function serve(
  api: KubeClient,
  { kinds, definitions: more = [], anySchema = false, featureSet = "Default" }: KitClusterOptions,
  signal: AbortSignal,
): Promise<void> {
  const names = new Set(kinds.map(({ plural, group }) => `${plural}.${group}`));
  const released = openShiftCrds(featureSet).filter(({ metadata }) => names.has(metadata.name ?? ""));
  const missing = [...names].filter((name) => !released.some(({ metadata }) => metadata.name === name));
  if (missing.length > 0) throw new Error(`no CustomResourceDefinition of ${missing.join(", ")}`);
  const others = released as unknown as readonly KubeObject[];
  const definitions = [...more, ...(anySchema ? others.map(withAnySchema) : others)];
  for (const definition of definitions)
    await api.ensure(resources.customResourceDefinitions, definition, signal);
  for (const { metadata } of definitions)
    while (
      conditionStatus(await api.get(resources.customResourceDefinitions, metadata, signal), "Established") !==
      "True"
    )
      await delay(20);
}

function withAnySchema(definition: KubeObject): KubeObject {
  const openAPIV3Schema = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  const versions = listAt(definition, "spec", "versions").map((each) => ({
    ...(each as object),
    schema: { openAPIV3Schema },
    // Without that of scaling, which asks for types of its own.
    subresources: valueAt(each, "subresources", "status") ? { status: {} } : {},
  }));
  return { ...definition, spec: { ...(definition.spec as object), versions } };
}

async function namespace(api: KubeClient, name: string, signal: AbortSignal): Promise<void> {
  await api.ensure(resources.namespaces, { apiVersion: "v1", kind: "Namespace", metadata: { name } }, signal);
}
