const meta = "io.k8s.apimachinery.pkg.apis.meta.v1";

const packages: Readonly<Record<string, string>> = {
  meta: "io.k8s.apimachinery.pkg.apis.meta",
  apiextensions: "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions",
  apiregistration: "io.k8s.kube-aggregator.pkg.apis.apiregistration",
};

/** Converts a type name `core.v1.PodSpec` to the definition name `io.k8s.api.core.v1.PodSpec`. */
export function definitionName(typeName: string): string {
  const dot = typeName.indexOf(".");
  const pkg = typeName.slice(0, dot);
  return `${packages[pkg] ?? `io.k8s.api.${pkg}`}${typeName.slice(dot)}`;
}

export const objectMetaDefinition = `${meta}.ObjectMeta`;
export const listMetaDefinition = `${meta}.ListMeta`;

/** Definition names of scalar types. */
export const scalarDefinitions = {
  time: `${meta}.Time`,
  microTime: `${meta}.MicroTime`,
  quantity: "io.k8s.apimachinery.pkg.api.resource.Quantity",
  intOrString: "io.k8s.apimachinery.pkg.util.intstr.IntOrString",
} as const;

/**
 * Returns the definition name of a custom kind. The name contains the reversed group: `io.openshift.config.v1.ClusterVersion`.
 */
export function customDefinitionName(group: string, version: string, kind: string): string {
  return [...group.split(".").reverse(), version, kind].join(".");
}
