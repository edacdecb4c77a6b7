import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { type Clock, createLogger, listAt, Metrics, stringAt, systemClock } from "@keelson/base";
import { ManualClock } from "@keelson/base/testing";
import { eventually } from "@keelson/base/testing/eventually";
import { apiServers, type TestApiServer } from "@keelson/controller/testing";
import {
  conditionStatus,
  isConflict,
  isKubeNotFound,
  type KubeApi,
  type KubeClient,
  type KubeObject,
  type KubeResource,
  resources,
} from "@keelson/kube";
import { openShiftCrds } from "@keelson/sim-openshift/testing";
import type { RegistryAccess } from "../bootstrap/registry-access.ts";
import { configDefinition } from "../config/config-definition.ts";
import { manifests } from "../manifests.ts";
import {
  clusterOperatorName,
  clusterOperators,
  configImages,
  configKey,
  configMaps,
  contentNamespace,
  imageStreamImports,
  imageStreams,
  operatorNamespace,
  proxies,
  samplesConfigs,
  templates,
} from "../resources/resources.ts";
import { createSamplesOperator } from "../samples-operator.ts";
import { imageAndTemplateCrds } from "./image-and-template-crds.ts";
import { serveTagGenerations } from "./tag-generations.ts";

interface StartOptions {
  readonly content: string;
  readonly release?: string;
  readonly registry?: RegistryAccess;
  /** Clock of the operator. The operator keeps its lease even if a manual clock advances beyond the lease duration. */
  readonly clock?: Clock;
}

export interface RunningOperator extends AsyncDisposable {
  readonly metrics: Metrics;
  /** ImageStreamImports that the operator has created. */
  readonly imports: readonly KubeObject[];
  /** Returns the number of writes so far. Leases and Events are not counted. */
  writes(): Promise<number>;
  /** Resolves when no work is pending. */
  idle(): Promise<void>;
  /** Returns the lines of a metric. */
  series(name: string): Promise<readonly string[]>;
}

/** API server of a test file. Only one operator runs at a time, and it has only the permissions of its service account. */
export interface SamplesWorld extends AsyncDisposable {
  readonly api: KubeClient;
  readonly signal: AbortSignal;
  start(options: StartOptions): Promise<RunningOperator>;
  /** Creates an object or merges it into an existing one. */
  put(
    resource: KubeResource,
    object: Partial<KubeObject> & Pick<KubeObject, "metadata">,
  ): Promise<KubeObject>;
  /** Merges into the spec of the Config. Creates a missing Config. */
  configure(spec: object): Promise<void>;
  config(): Promise<KubeObject | undefined>;
  sample(kind: "imagestream" | "template", name: string): Promise<KubeObject | undefined>;
  /**
   * Sets the status of a stream after an import. `tags` has an error message for each failed tag and `undefined` for each
   * successful one.
   */
  imported(stream: string, tags: Readonly<Record<string, string | undefined>>): Promise<void>;
  /** Returns the ClusterOperator's conditions as `status reason: message`. */
  operator(): Promise<Readonly<Record<string, string>>>;
  /** Returns the operator's Events as `reason: message`, sorted. */
  events(): Promise<readonly string[]>;
  eventually<T>(check: () => T | Promise<T>): Promise<T>;
  /** Deletes all objects of operators and tests. No operator may run. */
  reset(): Promise<void>;
}

export const reachable: RegistryAccess = { isIpv6Only: () => false, connect: async () => undefined };
export const unreachable: RegistryAccess = {
  isIpv6Only: () => false,
  connect: () => Promise.reject(new Error("connect ETIMEDOUT")),
};

export const samplesWorlds = apiServers.map(({ name, start }) => ({
  name,
  start: async () => startWorld(await start()),
}));

const dayMs = 24 * 3_600_000;
const endless = { leaseDurationMs: 20 * dayMs, renewDeadlineMs: 15 * dayMs, retryPeriodMs: 10 * dayMs };

const crds = [
  "clusteroperators.config.openshift.io",
  "images.config.openshift.io",
  "proxies.config.openshift.io",
];

async function startWorld(server: TestApiServer): Promise<SamplesWorld> {
  const signal = AbortSignal.timeout(900_000);
  const api = server.connect();
  const released = openShiftCrds("Default").filter(({ metadata }) => crds.includes(metadata.name ?? ""));
  const definitions = [
    configDefinition,
    ...(released as unknown as readonly KubeObject[]),
    ...imageAndTemplateCrds,
  ];
  for (const definition of definitions)
    await api.ensure(resources.customResourceDefinitions, definition, signal);
  for (const { metadata } of definitions)
    while (
      conditionStatus(await api.get(resources.customResourceDefinitions, metadata, signal), "Established") !==
      "True"
    )
      await delay(20);
  for (const name of [operatorNamespace, contentNamespace, "openshift-config"])
    await api.ensure(
      resources.namespaces,
      { apiVersion: "v1", kind: "Namespace", metadata: { name } },
      signal,
    );
  const roles = [
    resources.clusterRoles,
    resources.clusterRoleBindings,
    resources.roles,
    resources.roleBindings,
  ];
  for (const { object } of manifests({
    image: "keelson:test",
    version: "4.19.1",
    kubernetesVersion: "1.32.9",
  })) {
    const resource = roles.find(({ kind }) => kind === object.kind);
    if (resource) await api.ensure(resource, object, signal);
  }
  const generations = await serveTagGenerations(api, signal);
  const account = `system:serviceaccount:${operatorNamespace}:cluster-samples-operator`;
  const kubeconfig = await server.kubeconfigOf(account);

  const put: SamplesWorld["put"] = async (resource, object) => {
    const apiVersion = resource.group === "" ? resource.version : `${resource.group}/${resource.version}`;
    const whole = { ...object, apiVersion, kind: resource.kind };
    await api.ensure(resource, whole, signal);
    return whole;
  };
  const world: SamplesWorld = {
    api,
    signal,
    put,
    async start({ content, release = "4.19.1", registry = reachable, clock = systemClock }) {
      const stop = new AbortController();
      const imports: KubeObject[] = [];
      const metrics = new Metrics();
      const refusals: string[] = [];
      const destination = { write: (line: string) => void (/forbidden/i.test(line) && refusals.push(line)) };
      const client = server.connect({ kubeconfig, fieldManager: "samples-operator" });
      const operator = createSamplesOperator({
        api: recordingImports(client, imports),
        release,
        content,
        arch: "x64",
        registry,
        instance: `test-${Math.random()}`,
        election: clock === systemClock ? undefined : endless,
        metrics,
        clock,
        logger: createLogger({ level: "debug", destination }),
      });
      const running = operator.run(stop.signal);
      const series = async (name: string) =>
        (await metrics.expose()).body
          .split("\n")
          .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
      while (!operator.isReady) {
        await Promise.race([delay(5), running]);
        // After the creation of a CRD, an API server rejects the first watches of the new kind. The operator retries these
        // watches after a delay on this clock.
        if (clock instanceof ManualClock) await clock.advance(1_000);
      }
      return {
        metrics,
        imports,
        series,
        idle: () => operator.idle(),
        async writes() {
          const lines = await series("keelson_controller_writes_total");
          return lines
            .filter((line) => !/kind="(?:Event|Lease)"/.test(line))
            .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(" ") + 1)), 0);
        },
        async [Symbol.asyncDispose]() {
          stop.abort();
          await running;
          await client[Symbol.asyncDispose]();
          assert.deepEqual(refusals, [], "the operator's roles are too narrow");
        },
      };
    },
    async configure(spec) {
      await put(samplesConfigs, { metadata: configKey, spec: { ...Object(spec) } });
    },
    config: () => api.find(samplesConfigs, configKey, signal),
    sample: (kind, name) =>
      api.find(
        kind === "imagestream" ? imageStreams : templates,
        { namespace: contentNamespace, name },
        signal,
      ),
    async imported(name, tags) {
      const key = { namespace: contentNamespace, name };
      const live = await api.get(imageStreams, key, signal);
      const generation = Math.max(1, Number(Object(live.status).generation ?? 0) + 1);
      const status = {
        generation,
        tags: Object.entries(tags).map(([tag, message]) => ({
          tag,
          items: null,
          ...(message === undefined
            ? {}
            : {
                conditions: [
                  { type: "ImportSuccess", status: "False", reason: "Unauthorized", message, generation },
                ],
              }),
        })),
      };
      await api.mergePatch(imageStreams, key, { status }, signal);
    },
    async operator() {
      const found = await api.find(clusterOperators, { name: clusterOperatorName }, signal);
      return Object.fromEntries(
        listAt(found, "status", "conditions").map((each) => [
          stringAt(each, "type"),
          `${stringAt(each, "status")} ${stringAt(each, "reason") ?? ""}: ${stringAt(each, "message") ?? ""}`,
        ]),
      );
    },
    async events() {
      const { items } = await api.list(resources.events, { namespace: operatorNamespace }, signal);
      return items.map((each) => `${stringAt(each, "reason")}: ${stringAt(each, "message")}`).sort();
    },
    eventually,
    async reset() {
      await api
        .mergePatch(samplesConfigs, configKey, { metadata: { finalizers: null } }, signal)
        .catch(absent);
      const kinds: readonly (readonly [KubeResource, string | undefined])[] = [
        [samplesConfigs, undefined],
        [configImages, undefined],
        [proxies, undefined],
        [clusterOperators, undefined],
        [imageStreams, contentNamespace],
        [templates, contentNamespace],
        [configMaps, operatorNamespace],
        [resources.events, operatorNamespace],
      ];
      for (const [resource, namespace] of kinds) {
        const { items } = await api.list(resource, namespace === undefined ? {} : { namespace }, signal);
        for (const { metadata } of items) await api.delete(resource, metadata, signal).catch(absent);
      }
    },
    async [Symbol.asyncDispose]() {
      await api[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
      await generations[Symbol.asyncDispose]();
    },
  };
  return world;
}

/**
 * Records imports instead of creating them. The CRD that replaces the import API would store the imports, and would reject their
 * `resourceVersion`.
 */
function recordingImports(client: KubeClient, imports: KubeObject[]): KubeApi {
  return new Proxy<KubeApi>(client, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== "function") return member;
      if (name !== "create") return member.bind(target);
      return async (resource: KubeResource, object: KubeObject, signal: AbortSignal) => {
        if (resource !== imageStreamImports) return target.create(resource, object, signal);
        imports.push(object);
        return object;
      };
    },
  });
}

function absent(error: unknown): undefined {
  if (!isKubeNotFound(error) && !isConflict(error)) throw error;
}
