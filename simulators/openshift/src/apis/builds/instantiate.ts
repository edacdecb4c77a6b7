import type { ClusterClient, KubeObject } from "@keelson/apiserver";
import { listAt, numberAt, objectAt, stringAt, valueAt } from "@keelson/base";
import { controllerReference, timestamp } from "@keelson/controller";
import { failures } from "../failures.ts";
import { changeObject } from "../optimistic-write.ts";
import {
  buildConfigs,
  buildGroup,
  builds,
  configLabel,
  labelValue,
  numberAnnotation,
  policyLabel,
} from "./build-refs.ts";

export interface Instantiation {
  /** Client for the status of the BuildConfig. */
  readonly client: ClusterClient;
  /** Client that creates the build for the requester. */
  readonly requester: ClusterClient;
  readonly namespace: string;
  readonly name: string;
  /** Fields of the BuildRequest (build.openshift.io/v1). */
  readonly request: unknown;
  readonly dryRun?: boolean;
  readonly now: Date;
}

/** Fields of a BuildConfig that its builds contain. */
const commonFields = [
  "source",
  "strategy",
  "output",
  "resources",
  "postCommit",
  "completionDeadlineSeconds",
  "nodeSelector",
  "mountTrustedCA",
];

/**
 * Creates the next build of a BuildConfig. Source: openshift/openshift-apiserver `pkg/build/apiserver/buildgenerator`. Images of
 * the strategy are not resolved, because builds do not read them.
 * @throws StatusError
 */
export async function instantiateBuild(asked: Instantiation): Promise<KubeObject> {
  const { client, requester, request, dryRun = false } = asked;
  const key = { namespace: asked.namespace, name: asked.name };
  const expected = numberAt(request, "lastVersion");
  const next = (config: KubeObject): KubeObject => {
    const where = `${key.namespace}/${key.name}`;
    if (config.metadata.annotations?.["openshift.io/build-config.paused"]?.toLowerCase() === "true")
      throw failures.badRequest(`can't instantiate from BuildConfig ${where}: BuildConfig is paused`);
    const lastVersion = numberAt(config, "status", "lastVersion") ?? 0;
    if (expected !== undefined && expected !== lastVersion)
      throw failures.badRequest(
        `the LastVersion(${lastVersion}) on build config ${where} does not match the build request LastVersion(${expected})`,
      );
    return { ...config, status: { ...objectAt(config, "status"), lastVersion: lastVersion + 1 } };
  };
  const config = dryRun
    ? next(await client.get(buildConfigs, key))
    : await changeObject(client, buildConfigs, key, "status", next);
  return requester.create(builds, buildOf(config, request, timestamp(asked.now)));
}

function buildOf(config: KubeObject, request: unknown, now: string): KubeObject {
  const { name, namespace = "", labels = {} } = config.metadata;
  const number = String(numberAt(config, "status", "lastVersion") ?? 1);
  const spec = objectAt(config, "spec");
  const copied = Object.fromEntries(
    commonFields.flatMap((field) => (spec[field] === undefined ? [] : [[field, spec[field]]])),
  );
  const causes = listAt(request, "triggeredBy");
  const revision = valueAt(request, "revision");
  return {
    apiVersion: `${buildGroup}/v1`,
    kind: "Build",
    metadata: {
      namespace,
      name: `${name}-${number}`,
      labels: {
        ...stringEntries(valueAt(request, "metadata", "labels")),
        ...labels,
        buildconfig: labelValue(name),
        [configLabel]: labelValue(name),
        [policyLabel]: stringAt(spec, "runPolicy") || "Serial",
      },
      annotations: {
        ...stringEntries(valueAt(request, "metadata", "annotations")),
        [configLabel]: name,
        [numberAnnotation]: number,
      },
      ownerReferences: [controllerReference(config)],
    },
    spec: {
      ...copied,
      serviceAccount: stringAt(spec, "serviceAccount") || "builder",
      source: sourceOf(objectAt(spec, "source"), valueAt(request, "binary")),
      strategy: withEnvironment(objectAt(spec, "strategy"), listAt(request, "env")),
      triggeredBy: causes.length > 0 ? causes : [{ message: "Manually triggered" }],
      ...(revision === undefined ? {} : { revision }),
    },
    status: {
      phase: "New",
      conditions: [{ type: "New", status: "True", lastUpdateTime: now, lastTransitionTime: now }],
      config: { kind: "BuildConfig", namespace, name },
      output: {},
    },
  };
}

/** Returns the source of a build. A binary of the request replaces the repository. */
function sourceOf(source: Readonly<Record<string, unknown>>, binary: unknown): object {
  const { git, binary: _, ...rest } = source;
  if (binary !== undefined) return { ...rest, type: "Binary", binary };
  return git === undefined ? rest : { ...rest, git };
}

/** Returns the strategy with environment variables of the request. They replace variables of the BuildConfig. */
function withEnvironment(strategy: Readonly<Record<string, unknown>>, added: readonly unknown[]): object {
  if (added.length === 0) return strategy;
  const names = new Set(added.map((each) => stringAt(each, "name")));
  return Object.fromEntries(
    Object.entries(strategy).map(([field, value]) => {
      if (!field.endsWith("Strategy")) return [field, value];
      const kept = listAt(value, "env").filter((each) => !names.has(stringAt(each, "name")));
      return [field, { ...objectAt(value), env: [...kept, ...added] }];
    }),
  );
}

function stringEntries(value: unknown): Record<string, string> {
  return Object.fromEntries(Object.entries(objectAt(value)).map(([key, each]) => [key, String(each)]));
}
