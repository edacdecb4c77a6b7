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
import { joinedName } from "./joined-name.ts";
import { requestedStrategy, requireStrategyOf } from "./requested-strategy.ts";

export interface Instantiation {
  /** Client for the status of the BuildConfig and for the cloned build. */
  readonly client: ClusterClient;
  /** Client that creates the build for the requester. */
  readonly requester: ClusterClient;
  readonly namespace: string;
  /** Name of the BuildConfig or of the cloned build. */
  readonly name: string;
  /** Fields of the BuildRequest (build.openshift.io/v1). */
  readonly request: unknown;
  readonly dryRun?: boolean;
  readonly now: Date;
}

/** Fields that are copied from a BuildConfig to its builds. */
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
  const { requester, request } = asked;
  const expected = numberAt(request, "lastVersion");
  const [labels = {}, annotations = {}] = ["labels", "annotations"].map((field) =>
    stringEntries(valueAt(request, "metadata", field)),
  );
  const config = await withNextVersion(asked, asked.name, (current) => {
    const where = `${asked.namespace}/${asked.name}`;
    if (isPaused(current)) throw failures.badRequest(pausedMessage(current));
    const lastVersion = numberAt(current, "status", "lastVersion") ?? 0;
    if (expected !== undefined && expected !== lastVersion)
      throw failures.badRequest(
        `the LastVersion(${lastVersion}) on build config ${where} does not match the build request LastVersion(${expected})`,
      );
    requireStrategyOf(request, objectAt(current, "spec", "strategy"), where);
  });
  return requester.create(
    builds,
    buildOf(config, { request, labels, annotations, now: timestamp(asked.now) }),
  );
}

/**
 * Increments the last version of a BuildConfig and returns the changed BuildConfig. `check` throws to prevent the write.
 * @throws StatusError
 */
export async function withNextVersion(
  { client, namespace, dryRun = false }: Pick<Instantiation, "client" | "namespace" | "dryRun">,
  name: string,
  check: (config: KubeObject) => void,
): Promise<KubeObject> {
  const key = { namespace, name };
  const next = (config: KubeObject): KubeObject => {
    check(config);
    const lastVersion = (numberAt(config, "status", "lastVersion") ?? 0) + 1;
    return { ...config, status: { ...objectAt(config, "status"), lastVersion } };
  };
  if (dryRun) return next(await client.get(buildConfigs, key));
  return changeObject(client, buildConfigs, key, "status", next);
}

export function isPaused({ metadata }: KubeObject): boolean {
  return metadata.annotations?.["openshift.io/build-config.paused"]?.toLowerCase() === "true";
}

export function pausedMessage({ metadata: { namespace, name } }: KubeObject): string {
  return `can't instantiate from BuildConfig ${namespace}/${name}: BuildConfig is paused`;
}

interface BuildFields {
  readonly request: unknown;
  /** Labels and annotations of the request. */
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly now: string;
}

function buildOf(config: KubeObject, { request, labels, annotations, now }: BuildFields): KubeObject {
  const { name, namespace = "" } = config.metadata;
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
      name: joinedName(name, number),
      labels: {
        ...labels,
        ...config.metadata.labels,
        buildconfig: labelValue(name),
        [configLabel]: labelValue(name),
        [policyLabel]: stringAt(spec, "runPolicy") || "Serial",
      },
      annotations: {
        ...annotations,
        [configLabel]: name,
        [numberAnnotation]: number,
      },
      ownerReferences: [controllerReference(config)],
    },
    spec: {
      ...copied,
      serviceAccount: stringAt(spec, "serviceAccount") || "builder",
      source: sourceOf(objectAt(spec, "source"), valueAt(request, "binary")),
      strategy: requestedStrategy(objectAt(spec, "strategy"), request),
      triggeredBy: causes.length > 0 ? causes : [{ message: "Manually triggered" }],
      ...(revision === undefined ? {} : { revision }),
    },
    status: { ...newStatus(now), config: { kind: "BuildConfig", namespace, name } },
  };
}

/**
 * Returns the source of a build. If the request contains a binary, it replaces the Git repository. The field `type` is omitted,
 * because defaulting sets it.
 */
export function sourceOf(source: Readonly<Record<string, unknown>>, binary?: unknown): object {
  const { git, binary: _, dockerfile, type: __, ...rest } = source;
  const replaces = binary !== undefined && stringAt(binary, "asFile") === "Dockerfile";
  return {
    ...rest,
    ...(dockerfile === undefined || replaces ? {} : { dockerfile }),
    ...(binary === undefined ? (git === undefined ? {} : { git }) : { binary }),
  };
}

/** Returns the status of a new build. */
export function newStatus(now: string): object {
  const condition = { type: "New", status: "True", lastUpdateTime: now, lastTransitionTime: now };
  return { phase: "New", conditions: [condition], output: {} };
}

/** @throws StatusError 400 */
function stringEntries(value: unknown): Record<string, string> {
  const entries = Object.entries(objectAt(value)).map(([key, each]) => {
    if (typeof each !== "string")
      throw failures.badRequest(`metadata of the build request: ${key} is not a string`);
    return [key, each] as const;
  });
  return Object.fromEntries(entries);
}
