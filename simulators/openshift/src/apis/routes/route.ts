import type { Admission, AggregatedResource, KubeObject } from "@keelson/apiserver";
import { objectAt, stringAt } from "@keelson/base";
import { failures } from "../failures.ts";
import { routeColumns } from "./route-columns.ts";
import { routeSchema } from "./route-schema.ts";

const routeGroup = "route.openshift.io";
const maxWeight = 256;

export const routeResource: AggregatedResource = {
  group: routeGroup,
  version: "v1",
  kind: "Route",
  plural: "routes",
  categories: ["all"],
  namespaced: true,
  status: true,
  columns: routeColumns,
  schema: routeSchema,
};

/** Sets defaults in Routes, above all the host, and validates Routes like OpenShift's API server. */
export function routeAdmission(domain: string): Admission {
  return {
    handles: ({ resource, operation, subresource }) =>
      resource.bucket === `${routeGroup}/routes` && operation !== "DELETE" && subresource === "",
    mutate: async ({ object, oldObject, namespace }) => {
      if (!object) throw new Error("a write without an object");
      return completed(object, oldObject, `${namespace}.apps.${domain}`);
    },
    validate: async ({ object }) => {
      if (object) check(object);
    },
  };
}

/** Returns the route with defaults. If the client omits the host, the existing host remains. */
function completed(route: KubeObject, before: KubeObject | undefined, suffix: string): KubeObject {
  const spec = objectAt(route, "spec");
  const { subdomain } = spec;
  const host =
    stringAt(spec, "host") ||
    stringAt(before, "spec", "host") ||
    (typeof subdomain === "string" && subdomain
      ? `${subdomain}.${suffix.slice(suffix.indexOf(".") + 1)}`
      : `${route.metadata.name}-${suffix}`);
  return {
    ...route,
    spec: {
      ...spec,
      host,
      to: completedTarget(objectAt(spec, "to")),
      ...(Array.isArray(spec.alternateBackends)
        ? { alternateBackends: spec.alternateBackends.map((each) => completedTarget(objectAt(each))) }
        : {}),
      wildcardPolicy: stringAt(spec, "wildcardPolicy") || "None",
      ...(spec.tls ? { tls: completedTls(objectAt(spec, "tls")) } : {}),
    },
  };
}

/**
 * Returns a target service with defaults. An empty kind and a null weight count as unset, because Go clients send these values
 * for omitted fields.
 */
function completedTarget(target: Readonly<Record<string, unknown>>) {
  return { ...target, kind: stringAt(target, "kind") || "Service", weight: target.weight ?? 100 };
}

function completedTls(tls: Readonly<Record<string, unknown>>) {
  return { ...tls, termination: stringAt(tls, "termination") || "edge" };
}

function check(route: KubeObject): void {
  const { name } = route.metadata;
  const spec = objectAt(route, "spec");
  const invalid = (field: string, why: string) => failures.invalid("Route", routeGroup, name, field, why);
  const host = stringAt(spec, "host") ?? "";
  if (!/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?(\.[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?)*$/.test(host)) {
    throw invalid(
      "spec.host",
      `Invalid value: ${JSON.stringify(host)}: host must conform to DNS 952 subdomain conventions`,
    );
  }
  const to = objectAt(spec, "to");
  if (!stringAt(to, "name")) throw invalid("spec.to.name", "Required value");
  if (to.kind !== "Service")
    throw invalid("spec.to.kind", `Invalid value: ${JSON.stringify(to.kind)}: must reference a Service`);
  const { weight } = to;
  if (typeof weight !== "number" || weight < 0 || weight > maxWeight) {
    throw invalid(
      "spec.to.weight",
      `Invalid value: ${JSON.stringify(weight)}: weight must be an integer between 0 and 256`,
    );
  }
  const { termination } = objectAt(spec, "tls");
  if (
    termination !== undefined &&
    !["edge", "passthrough", "reencrypt"].some((each) => each === termination)
  ) {
    throw invalid(
      "spec.tls.termination",
      `Unsupported value: ${JSON.stringify(termination)}: supported values: "edge", "passthrough", "reencrypt"`,
    );
  }
}
