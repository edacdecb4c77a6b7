import {
  type ConfigObserver,
  type ConfigPath,
  configAt,
  pathsOverlap,
  type SparseConfig,
} from "@keelson/operator-kit";

/** Where a value of the configuration comes from. */
export type ChangeOrigin =
  | { readonly kind: "override" }
  | { readonly kind: "observer"; readonly observer: string; readonly objects: readonly string[] }
  | { readonly kind: "operator" };

/** The layer that decides about a path: the last one that has it. */
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

/** As `apiservers.config.openshift.io/cluster`, or `configmaps/etcd-endpoints -n openshift-etcd`. */
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
  return `${origin.observer}: ${origin.objects.join(", ")}`;
}
