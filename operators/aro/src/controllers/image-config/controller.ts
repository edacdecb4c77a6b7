import { singleton } from "@keelson/aro-api";
import { messageOf, valueAt } from "@keelson/base";
import { allOf, generationChanged, named, TerminalError, watchFor } from "@keelson/controller";
import { resources } from "@keelson/kube";
import { done } from "../../runtime/aro-controller.ts";
import { switchedOn } from "../../runtime/flags.ts";
import { may, reading } from "../../runtime/may.ts";
import type { RegisteredController } from "../../runtime/registered-controller.ts";
import { planRegistrySources, serviceRegistries } from "./registries.ts";

const { configImages } = resources;
const key = { name: "cluster" };

/** Ensures that the cluster can pull the service's images. Their registries must be allowed and not blocked. */
export const imageConfig: RegisteredController = {
  name: "ImageConfig",
  flag: "aro.imageconfig.enabled",
  flags: { "aro.imageconfig.enabled": switchedOn },
  documentation: {
    purpose:
      "Adds the service's two registries to the allowed registries of Image `cluster`, and removes them from the blocked registries. If both lists are set, the controller is Degraded and changes nothing.",
    improvement:
      "Reacts to changes of flags and the Cluster. Does not rewrite a list that already contains both registries, in any order. An unknown cloud makes the controller Degraded.",
  },
  watches: [
    watchFor(configImages, singleton, {
      selection: { fieldSelector: `metadata.name=${key.name}` },
      where: allOf(named(key.name), generationChanged),
    }),
  ],
  permissions: [
    may(reading, "config.openshift.io", ["images"]),
    may(["patch"], "config.openshift.io", ["images"], { resourceNames: [key.name] }),
  ],
  async reconcile({ cluster, objects }) {
    const required = lasting(() => serviceRegistries(cluster.spec ?? {}));
    if (required.length === 0) return done;
    const live = await objects.find(configImages, key);
    if (!live) throw new TerminalError(`images.config.openshift.io "${key.name}" not found`);
    const sources = valueAt(live, "spec", "registrySources");
    const registrySources = lasting(() => planRegistrySources(sources, required));
    await objects.correct(configImages, live, { spec: { registrySources } });
    return done;
  },
};

/**
 * Calls `rule`. If `rule` throws, this function throws a terminal error, because the error persists until the Cluster or the
 * Image changes.
 */
function lasting<T>(rule: () => T): T {
  try {
    return rule();
  } catch (error) {
    throw new TerminalError(messageOf(error));
  }
}
