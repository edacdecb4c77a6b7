import { isPlainObject, messageOf, numberAt, objectAt, stringAt, valueAt } from "@keelson/base";
import { type KubeObject, resources } from "@keelson/kube";
import {
  type ConfigPath,
  configChanges,
  observeAll,
  operatorKey,
  pathText,
  revisionName,
  type SparseConfig,
} from "@keelson/operator-kit";
import { namespaces } from "../config/namespaces.ts";
import { wantedConfigMaps } from "../controllers/target-config/wanted-objects.ts";
import { configObservers } from "../observers/observers.ts";
import { encryptionSecret } from "../operand/kms-plugins.ts";
import type { OperandImages } from "../operand/operand-pod.ts";
import type { OperatorSpec } from "../operand/operand-settings.ts";
import { revisionedSources } from "../operand/operand-sources.ts";
import { type ChangeOrigin, originOf } from "./change-origin.ts";
import type { ClusterSnapshot } from "./cluster-snapshot.ts";

export interface ValueChange {
  readonly path: string;
  /** Absent of Secrets, and where the value is not there. */
  readonly before?: unknown;
  readonly after?: unknown;
  readonly origin: ChangeOrigin;
}

interface SourceChange {
  readonly kind: "ConfigMap" | "Secret";
  readonly name: string;
  readonly values: readonly ValueChange[];
}

export interface RevisionDiff {
  readonly latest: number;
  /** What a revision after the latest would change; empty where none follows. */
  readonly changes: readonly SourceChange[];
  /** What observers say of their inputs, and why something cannot be made: it stays as it is. */
  readonly errors: readonly string[];
}

/** What the next revision of the API servers changes and why, computed from a snapshot: nothing is written. */
export function revisionDiff(
  snapshot: ClusterSnapshot,
  build: string,
  version: string,
  now: Date,
): RevisionDiff {
  const configuration = snapshot.find(resources.kubeApiServers, operatorKey);
  if (!configuration) throw new Error("kubeapiservers.operator.openshift.io/cluster is not there");
  const latest = numberAt(configuration, "status", "latestAvailableRevision") ?? 0;
  const observers = configObservers(version);
  const spec = (configuration.spec ?? {}) as OperatorSpec & { readonly forceRedeploymentReason?: unknown };
  const { config: observedConfig, errors } = observeAll(
    observers,
    objectAt(spec.observedConfig),
    () => snapshot,
    { now, report: () => undefined },
  );
  const overrides: SparseConfig = spec.unsupportedConfigOverrides ?? {};
  const inputs = {
    spec: { ...spec, observedConfig },
    images: imagesIn(snapshot, version),
    build: stringAt(configMap(snapshot, "kube-apiserver-pod"), "data", "version") ?? build,
    now,
    encryption: snapshot.find(resources.secrets, encryptionSecret),
    infrastructure: snapshot.find(resources.infrastructures, operatorKey),
    find: (key: { name: string; namespace?: string }) => snapshot.find(resources.configMaps, key),
  };
  const failures: string[] = [];
  const wantedData = (name: string): unknown => {
    const make = wantedConfigMaps[name];
    if (!make) return valueAt(configMap(snapshot, name), "data");
    try {
      return make(inputs).data;
    } catch (error) {
      failures.push(`configmap/${name}: ${messageOf(error)}`);
      return valueAt(configMap(snapshot, name), "data");
    }
  };
  const { configMaps, optionalConfigMaps, secrets, optionalSecrets } = revisionedSources;
  const origin = (path: ConfigPath) => originOf(path, overrides, observers);
  const changes = [
    ...[...configMaps, ...optionalConfigMaps].map((name): SourceChange => {
      const before = valueAt(configMap(snapshot, revisionName(name, latest)), "data");
      return { kind: "ConfigMap", name, values: valueChanges(name, before, wantedData(name), origin) };
    }),
    ...[...secrets, ...optionalSecrets].map((name): SourceChange => {
      const find = (each: string) =>
        valueAt(snapshot.find(resources.secrets, { namespace: namespaces.target, name: each }), "data");
      const values = configChanges(find(revisionName(name, latest)) ?? {}, find(name) ?? {});
      // Secrets are named, never shown.
      const keys = values.map(({ path }) => ({
        path: path.join("."),
        origin: { kind: "operator" } as const,
      }));
      return { kind: "Secret", name, values: keys };
    }),
  ];
  return {
    latest,
    changes: changes.filter(({ values }) => values.length > 0),
    errors: [...errors, ...failures],
  };
}

function configMap(snapshot: ClusterSnapshot, name: string): KubeObject | undefined {
  return snapshot.find(resources.configMaps, { namespace: namespaces.target, name });
}

/** Values that are JSON are compared inside. */
function valueChanges(
  name: string,
  before: unknown,
  after: unknown,
  origin: (path: ConfigPath) => ChangeOrigin,
): readonly ValueChange[] {
  return configChanges(before ?? {}, after ?? {}).flatMap((change) => {
    const [key = ""] = change.path;
    const [one, other] = [change.before, change.after].map(parsed);
    const inner = isPlainObject(one) && isPlainObject(other) ? configChanges(one, other) : undefined;
    const isConfig = name === "config";
    if (!inner)
      return [valueChange(key, change.before, change.after, isConfig ? origin([]) : { kind: "operator" })];
    return inner.map(({ path, before, after }) =>
      valueChange(
        isConfig ? pathText(path) : `${key}: ${pathText(path)}`,
        before,
        after,
        isConfig ? origin(path) : { kind: "operator" },
      ),
    );
  });
}

function valueChange(path: string, before: unknown, after: unknown, origin: ChangeOrigin): ValueChange {
  return {
    path,
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
    origin,
  };
}

function parsed(value: unknown): unknown {
  if (typeof value !== "string") return undefined;
  try {
    return byName(JSON.parse(value));
  } catch {
    return undefined;
  }
}

/** Lists of named objects, such as containers, as objects: a change of one is no change of the others. */
function byName(value: unknown): unknown {
  if (Array.isArray(value)) {
    const names = value.map((each) => stringAt(each, "name"));
    return names.length > 0 && names.every((name) => name !== undefined)
      ? Object.fromEntries(value.map((each, index) => [names[index] ?? "", byName(each)]))
      : value;
  }
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, byName(member)]));
}

/** The images that the operator last wrote: only it knows others. */
function imagesIn(snapshot: ClusterSnapshot, version: string): OperandImages {
  const pod = parsed(stringAt(configMap(snapshot, "kube-apiserver-pod"), "data", "pod.yaml"));
  const imageOf = (name: string) => stringAt(pod, "spec", "containers", name, "image") ?? "";
  return { operand: imageOf("kube-apiserver"), operator: imageOf("kube-apiserver-cert-syncer"), version };
}
