import type { KubeObject } from "@keelson/apiserver";
import { listAt, numberAt, objectAt, stringAt, valueAt } from "@keelson/base";
import { computedColumn, textColumn } from "../columns.ts";

/** Table columns of Routes (openshift/openshift-apiserver pkg/route/printers). */
export const routeColumns = [
  computedColumn("Host/Port", hostText),
  textColumn("Path", ".spec.path"),
  computedColumn("Services", servicesText),
  computedColumn("Port", (route) => String(valueAt(route, "spec", "port", "targetPort") ?? "<all>")),
  computedColumn("Termination", terminationText),
  textColumn("Wildcard", ".spec.wildcardPolicy"),
];

/**
 * Returns the text of the host column. It is the admitted host, the reason for the rejection, or the requested host if no router
 * has processed the route.
 */
function hostText(route: KubeObject): string {
  const wanted = stringAt(route, "spec", "host") ?? "";
  const entries = listAt(route, "status", "ingress").map((entry) => ({
    host: stringAt(entry, "host") ?? "",
    condition: listAt(entry, "conditions").find((each) => stringAt(each, "type") === "Admitted"),
  }));
  if (entries.length === 0) return wanted;
  const of = (status: string) => entries.filter(({ condition }) => stringAt(condition, "status") === status);
  const [admitted, rejected] = [of("True"), of("False")];
  const host = (admitted.find((each) => each.host === wanted) ?? admitted[0])?.host ?? wanted;
  if (admitted.length === 0) return stringAt(rejected.at(-1)?.condition, "reason") ?? "Pending";
  if (rejected.length > 0) return `${host} ... ${rejected.length} rejected`;
  return admitted.length > 1 ? `${host} ... ${admitted.length - 1} more` : host;
}

/** Returns the target services of a route. If there are several services, adds each service's traffic share. */
function servicesText(route: KubeObject): string {
  const backends = [objectAt(route, "spec", "to"), ...listAt(route, "spec", "alternateBackends")];
  const weights = backends.map((each) => numberAt(each, "weight") ?? 0);
  const total = weights.reduce((sum, each) => sum + each, 0);
  return backends
    .map((each, index) => {
      const name = stringAt(each, "name") ?? "";
      if (backends.length === 1 && total > 0) return name;
      return `${name}(${total === 0 ? 0 : Math.floor(((weights[index] ?? 0) * 100) / total)}%)`;
    })
    .join(",");
}

function terminationText(route: KubeObject): string {
  const termination = stringAt(route, "spec", "tls", "termination");
  const insecure = stringAt(route, "spec", "tls", "insecureEdgeTerminationPolicy");
  if (!insecure) return termination ?? "";
  return `${termination || "default"}/${insecure}`;
}
