import type { KubeResource } from "@keelson/kube";
import { openShiftCrds } from "@keelson/sim-openshift/testing";
import type { AroController } from "../runtime/aro-controller.ts";

/** Returns the watched kinds that OpenShift's CustomResourceDefinitions define. An API server must serve all of them. */
export function watchedKinds(controllers: readonly AroController[]): readonly KubeResource[] {
  const released = new Set(openShiftCrds("Default").map(({ metadata }) => metadata.name));
  const watched = controllers.flatMap(({ watches }) =>
    watches.flatMap((each) => (each.kind === "objects" ? [each.resource] : [])),
  );
  const named = new Map(watched.map((each) => [`${each.plural}.${each.group}`, each]));
  return [...named].flatMap(([name, resource]) => (released.has(name) ? [resource] : []));
}
