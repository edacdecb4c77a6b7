import { setTimeout as delay } from "node:timers/promises";
import { listAt, valueAt } from "@keelson/base";
import { eventually } from "@keelson/base/testing/eventually";
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
import { openShiftCrds } from "@keelson/sim-openshift/testing";

/** API server of a test file. It serves OpenShift kinds. */
export interface KitCluster extends AsyncDisposable {
  /** Client of an administrator. */
  readonly api: KubeClient;
  readonly kubeconfig: string;
  /** Returns the kubeconfig of a user, for example a service account. Role bindings define the user's permissions. */
  kubeconfigOf(userName: string): Promise<string>;
  /** Creates a client that stays open until the server stops. Default user: the administrator. */
  connect(fieldManager: string, kubeconfig?: string): KubeClient;
  readonly signal: AbortSignal;
  /**
   * Creates an object or merges it into an existing object. The status is written through its subresource. Missing namespaces are
   * created.
   */
  put(
    resource: KubeResource,
    object: Partial<KubeObject> & Pick<KubeObject, "metadata">,
  ): Promise<KubeObject>;
  /** Waits until `check` no longer throws. */
  eventually<T>(check: () => T | Promise<T>): Promise<T>;
}

export interface KitClusterOptions {
  /** Additional kinds that the server serves, for example OpenShift kinds. */
  readonly kinds: readonly KubeResource[];
  /** Additional CustomResourceDefinitions. */
  readonly definitions?: readonly KubeObject[];
  /** True if the server accepts any object of these kinds without a schema, to simulate an unknown release. */
  readonly anySchema?: boolean;
  /** Feature set that selects the schemas of the kinds. Default: `Default`. */
  readonly featureSet?: Parameters<typeof openShiftCrds>[0];
  /** Time in ms after which requests fail. Default: five minutes. */
  readonly limitMs?: number;
}

/** API servers for operator tests: the API server of this repository and, if available, a real kube-apiserver. */
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
    // The scale subresource is dropped, because it requires typed fields in the schema.
    subresources: valueAt(each, "subresources", "status") ? { status: {} } : {},
  }));
  return { ...definition, spec: { ...(definition.spec as object), versions } };
}

async function namespace(api: KubeClient, name: string, signal: AbortSignal): Promise<void> {
  await api.ensure(resources.namespaces, { apiVersion: "v1", kind: "Namespace", metadata: { name } }, signal);
}
