import { singleton } from "@keelson/aro-api";
import { named, watchFor } from "@keelson/controller";
import { resources } from "@keelson/kube";
import { done } from "../../runtime/aro-controller.ts";
import { switchedOn } from "../../runtime/flags.ts";
import { may, reading } from "../../runtime/may.ts";
import type { RegisteredController } from "../../runtime/registered-controller.ts";

const { clusterRoleBindings, namespaces, securityContextConstraints } = resources;

/**
 * Objects that earlier releases of the operator created for OpenShift before 4.7.18. These OpenShift versions are no longer in
 * use.
 */
const leftovers = [
  { resource: namespaces, key: { name: "openshift-azure-routefix" } },
  { resource: clusterRoleBindings, key: { name: "routefix" } },
  { resource: securityContextConstraints, key: { name: "privileged-routefix" } },
] as const;

/** Removes the objects of an obsolete routing fix. */
export const routeFix: RegisteredController = {
  name: "RouteFix",
  flag: "aro.routefix.enabled",
  flags: { "aro.routefix.enabled": switchedOn },
  documentation: {
    purpose: "Removes objects that releases before 4.7.18 needed.",
    improvement: "Also removes the security context constraints.",
  },
  watches: leftovers.map(({ resource, key: { name } }) =>
    watchFor(resource, singleton, {
      selection: { fieldSelector: `metadata.name=${name}` },
      where: named(name),
    }),
  ),
  permissions: leftovers.map(({ resource, key: { name } }) =>
    may([...reading, "delete"], resource.group, [resource.plural], { resourceNames: [name] }),
  ),
  async reconcile({ cache, objects }) {
    for (const { resource, key } of leftovers)
      if (cache.known(resource, key)?.object) await objects.remove(resource, key);
    return done;
  },
};
