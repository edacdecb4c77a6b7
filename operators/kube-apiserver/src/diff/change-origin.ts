import {
  type ConfigObserver,
  type ConfigPath,
  configAt,
  pathsOverlap,
  type SparseConfig,
  type SyncRule,
} from "@keelson/operator-kit";
import { namespaces } from "../config/namespaces.ts";

/** Origin of a configuration value: an override, an observer, a controller or the operator itself. */
export type ChangeOrigin =
  | { readonly kind: "override" }
  | { readonly kind: "observer"; readonly observer: string; readonly objects: readonly string[] }
  | { readonly kind: "controller"; readonly controller: string; readonly objects: readonly string[] }
  | { readonly kind: "operator" };

/**
 * Returns the origin of the value at a path. Overrides take precedence over observers. If neither determines the value, the
 * origin is the operator itself.
 */
export function originOf(
  path: ConfigPath,
  overrides: SparseConfig,
  observers: readonly ConfigObserver[],
): ChangeOrigin {
  if (configAt(overrides, path) !== undefined) return { kind: "override" };
  const observer = observers.find(({ paths }) => paths.some((each) => pathsOverlap(each, path)));
  if (!observer) return { kind: "operator" };
  return { kind: "observer", observer: observer.name, objects: observer.inputs.map(inputText) };
}

const apiServer = ["apiservers.config.openshift.io/cluster"];

/** Origin that is reported for the encryption configuration if the operator will create a new key. */
export const encryptionOrigin: ChangeOrigin = {
  kind: "controller",
  controller: "EncryptionKeyController",
  objects: apiServer,
};

/** Returns the controller that creates a ConfigMap or Secret for revisions, and the objects that this controller reads. */
export function producerOf(
  kind: "ConfigMap" | "Secret",
  name: string,
  rules: readonly SyncRule[],
): ChangeOrigin {
  if (kind === "ConfigMap" && name === "kube-apiserver-audit-policies")
    return { kind: "controller", controller: "AuditPolicyController", objects: apiServer };
  const { from } =
    rules.find(
      ({ resource, to }) => resource.kind === kind && to.namespace === namespaces.target && to.name === name,
    ) ?? {};
  if (!from) return { kind: "operator" };
  const plural = kind === "ConfigMap" ? "configmaps" : "secrets";
  return {
    kind: "controller",
    controller: "ResourceSyncController",
    objects: [`${plural}/${from.name} -n ${from.namespace}`],
  };
}

/** Formats an input, for example `apiservers.config.openshift.io/cluster` or `configmaps/etcd-endpoints -n openshift-etcd`. */
export function inputText({ resource, selection = {} }: ConfigObserver["inputs"][number]): string {
  const name = selection.fieldSelector?.match(/^metadata\.name=(.*)$/)?.[1];
  const kind = resource.group === "" ? resource.plural : `${resource.plural}.${resource.group}`;
  const namespace = selection.namespace === undefined ? "" : ` -n ${selection.namespace}`;
  return `${kind}${name === undefined ? "" : `/${name}`}${namespace}`;
}

export function originText(origin: ChangeOrigin): string {
  if (origin.kind === "override")
    return "kubeapiservers.operator.openshift.io/cluster spec.unsupportedConfigOverrides";
  if (origin.kind === "operator") return "the operator, or its specification";
  const producer = origin.kind === "observer" ? origin.observer : origin.controller;
  return `${producer}: ${origin.objects.join(", ")}`;
}
