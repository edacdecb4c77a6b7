import { isPlainObject, messageOf, numberAt, objectAt, stringAt, valueAt } from "@keelson/base";
import { type KubeObject, resources } from "@keelson/kube";
import {
  type ConfigPath,
  componentLabel,
  configChanges,
  needsKey,
  operatorKey,
  pathText,
  revisionName,
  type SparseConfig,
} from "@keelson/operator-kit";
import { parse } from "yaml";
import { featureGatesOf, isEnabled } from "../config/feature-gates.ts";
import { namespaces } from "../config/namespaces.ts";
import {
  encryptedResources,
  encryptionComponent,
  encryptionPolicy,
} from "../controllers/encryption/controller.ts";
import { configObservers } from "../observers/observers.ts";
import { encryptionSecret } from "../operand/kms-plugins.ts";
import type { OperandImages } from "../operand/operand-pod.ts";
import { revisionedSources } from "../operand/operand-sources.ts";
import { type ChangeOrigin, encryptionOrigin, originOf, producerOf } from "./change-origin.ts";
import type { ClusterSnapshot } from "./cluster-snapshot.ts";
import { reconciledSnapshot } from "./reconciled-snapshot.ts";

export interface ValueChange {
  readonly path: string;
  /** Previous value. Undefined for Secrets and for added values. */
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
  /** Changes in the next revision. Empty if the configuration is unchanged. */
  readonly changes: readonly SourceChange[];
  /** Errors of observers, and reasons why an object cannot be computed. Such an object stays unchanged. */
  readonly errors: readonly string[];
}

/** Computes the changes of the next revision and their origins from a snapshot. It writes nothing. */
export function revisionDiff(
  snapshot: ClusterSnapshot,
  build: string,
  version: string,
  now: Date,
): RevisionDiff {
  const configuration = snapshot.find(resources.kubeApiServers, operatorKey);
  if (!configuration) throw new Error("kubeapiservers.operator.openshift.io/cluster does not exist");
  const latest = numberAt(configuration, "status", "latestAvailableRevision") ?? 0;
  const release = {
    version,
    build: stringAt(configMap(snapshot, "kube-apiserver-pod"), "data", "version") ?? build,
    images: imagesIn(snapshot, version),
  };
  const { snapshot: next, rules, errors } = reconciledSnapshot(snapshot, release, now);
  const overrides: SparseConfig = objectAt(configuration.spec, "unsupportedConfigOverrides");
  const observers = configObservers(version);
  const { configMaps, optionalConfigMaps, secrets, optionalSecrets } = revisionedSources;
  const maps = [...configMaps, ...optionalConfigMaps].map((name): SourceChange => {
    const before = valueAt(configMap(snapshot, revisionName(name, latest)), "data");
    const after = valueAt(configMap(next, name), "data");
    const origin = (path: ConfigPath) =>
      name === "config" ? originOf(path, overrides, observers) : producerOf("ConfigMap", name, rules);
    return { kind: "ConfigMap", name, values: valueChanges(name, before, after, origin) };
  });
  const failures: string[] = [];
  const key = pendingEncryption(next, configuration, latest, version, now, failures);
  const keys = [...secrets, ...optionalSecrets].map((name): SourceChange => {
    const find = (from: ClusterSnapshot, each: string) =>
      valueAt(from.find(resources.secrets, { namespace: namespaces.target, name: each }), "data") ?? {};
    const values = configChanges(find(snapshot, revisionName(name, latest)), find(next, name));
    if (values.length === 0 && name === encryptionSecret.name && key)
      return { kind: "Secret", name, values: [{ path: name, origin: encryptionOrigin }] };
    // Only the names of Secrets are printed, never their values.
    const origin = producerOf("Secret", name, rules);
    return { kind: "Secret", name, values: values.map(({ path }) => ({ path: path.join("."), origin })) };
  });
  return {
    latest,
    changes: [...maps, ...keys].filter(({ values }) => values.length > 0),
    errors: [...errors, ...failures],
  };
}

/** True if the operator will create a new encryption key. A revision with a changed encryption configuration follows. */
function pendingEncryption(
  snapshot: ClusterSnapshot,
  configuration: KubeObject,
  latest: number,
  version: string,
  now: Date,
  failures: string[],
): boolean {
  const { secrets, apiServers, featureGates } = resources;
  const deployed = snapshot.find(secrets, {
    ...encryptionSecret,
    name: revisionName(encryptionSecret.name, latest),
  });
  const keySecrets = snapshot
    .list(secrets, namespaces.managed)
    .filter(({ metadata }) => metadata.labels?.[componentLabel] === encryptionComponent);
  try {
    const policy = encryptionPolicy(snapshot.find(apiServers, operatorKey), configuration, () =>
      isEnabled(featureGatesOf(snapshot.find(featureGates, operatorKey), version), "KMSEncryption"),
    );
    return needsKey({ deployed, keySecrets }, policy, encryptedResources, now);
  } catch (error) {
    failures.push(messageOf(error));
    return false;
  }
}

function configMap(snapshot: ClusterSnapshot, name: string): KubeObject | undefined {
  return snapshot.find(resources.configMaps, { namespace: namespaces.target, name });
}

/** Compares values field by field if they are JSON or YAML. */
function valueChanges(
  name: string,
  before: unknown,
  after: unknown,
  origin: (path: ConfigPath) => ChangeOrigin,
): readonly ValueChange[] {
  return configChanges(before ?? {}, after ?? {}).flatMap((change) => {
    const [key = ""] = change.path;
    const [one, other] = [change.before, change.after].map((value) => parsed(key, value));
    const inner = isPlainObject(one) && isPlainObject(other) ? configChanges(one, other) : undefined;
    const isConfig = name === "config";
    if (!inner) return [valueChange(key, change.before, change.after, origin([]))];
    return inner.map(({ path, before, after }) =>
      valueChange(isConfig ? pathText(path) : `${key}: ${pathText(path)}`, before, after, origin(path)),
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

function parsed(key: string, value: unknown): unknown {
  if (typeof value !== "string") return undefined;
  try {
    return byName(key.endsWith(".yaml") ? parse(value, { maxAliasCount: 0 }) : JSON.parse(value));
  } catch {
    return undefined;
  }
}

/**
 * Converts a list of objects, such as containers or rules, to an object keyed by name or index. A changed entry then appears as a
 * change of this entry only.
 */
function byName(value: unknown): unknown {
  if (Array.isArray(value))
    return value.length > 0 && value.every(isPlainObject)
      ? Object.fromEntries(
          value.map((each, index) => [stringAt(each, "name") ?? String(index), byName(each)]),
        )
      : value;
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, byName(member)]));
}

/** Returns the images that the operator last wrote. Newer images are known only to the operator itself, from its environment. */
function imagesIn(snapshot: ClusterSnapshot, version: string): OperandImages {
  const pod = parsed("pod.yaml", stringAt(configMap(snapshot, "kube-apiserver-pod"), "data", "pod.yaml"));
  const imageOf = (name: string) => stringAt(pod, "spec", "containers", name, "image") ?? "";
  return { operand: imageOf("kube-apiserver"), operator: imageOf("kube-apiserver-cert-syncer"), version };
}
