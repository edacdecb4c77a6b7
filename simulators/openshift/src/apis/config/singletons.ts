import type { Admission } from "@keelson/apiserver";
import { failures } from "../failures.ts";

const group = "config.openshift.io";

/** Configuration kinds with a single object per cluster (openshift/kubernetes, customresourcevalidation). */
const singletons: ReadonlySet<string> = new Set(
  [
    "apiservers",
    "authentications",
    "builds",
    "consoles",
    "dnses",
    "featuregates",
    "images",
    "infrastructures",
    "ingresses",
    "networks",
    "nodes",
    "oauths",
    "operatorhubs",
    "projects",
    "proxies",
    "schedulers",
  ].map((plural) => `${group}/${plural}`),
);

/** Rejects a second object of a singleton kind. */
export const singletonAdmission: Admission = {
  handles: ({ resource, operation }) => operation === "CREATE" && singletons.has(resource.bucket),
  mutate: async ({ object }) => {
    if (!object) throw new Error("a write without an object");
    return object;
  },
  validate: async ({ resource, object }) => {
    const name = object?.metadata.name ?? "";
    if (name === "cluster") return;
    throw failures.invalid(
      resource.type.kind,
      group,
      name,
      "metadata.name",
      `Invalid value: ${JSON.stringify(name)}: must be cluster`,
    );
  },
};
