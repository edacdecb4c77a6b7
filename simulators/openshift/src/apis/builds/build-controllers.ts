import type { KubeObject } from "@keelson/apiserver";
import { aborted, listAt, messageOf, numberAt, stringAt } from "@keelson/base";
import {
  type Controller,
  done,
  type Result,
  TerminalError,
  watch,
  watchOwned,
  watchSource,
} from "@keelson/controller";
import { ensureDeleted } from "../../base/objects.ts";
import { resources } from "../../base/resources.ts";
import type { Cluster } from "../../runtime/cluster.ts";
import { buildIndexOf, withPhase } from "./build-index.ts";
import { buildConfigs, buildLabel, builds, defaultHistoryLimit } from "./build-refs.ts";
import { instantiateBuild } from "./instantiate.ts";
import { isRefusal, reconcileBuild } from "./reconcile-build.ts";

/** Maximum number of old builds that one call deletes. */
const maxDeleted = 20;

/**
 * Runs builds in pods: creates the pod, reports its state as the phase of the build, and tags the image of a complete build. A
 * queued build is reconciled again when it is the next build of its BuildConfig.
 */
const buildController: Controller<Cluster> = {
  name: "builds",
  watches: [
    watch(builds, { strip: withPhase }),
    watchOwned(resources.pods, builds, { selection: { labelSelector: buildLabel } }),
    watchSource(async (add, { cache }, signal) => {
      buildIndexOf(cache).onNext(add);
      await aborted(signal);
    }),
  ],
  reconcile: reconcileBuild,
};

/** Creates the first build of a BuildConfig with the trigger `ConfigChange`, and deletes old builds. */
const buildConfigController: Controller<Cluster> = {
  name: "build-configs",
  watches: [
    watch(buildConfigs),
    watchSource(async (add, { cache }, signal) => {
      buildIndexOf(cache).onEnded(add);
      await aborted(signal);
    }),
  ],
  async reconcile(key, cluster) {
    const config = await cluster.client.find(buildConfigs, key);
    if (!config || config.metadata.deletionTimestamp) return done;
    const result = await deleteOldBuilds(config, cluster);
    await startFirstBuild(config, cluster);
    return result;
  },
};

export const buildControllers: readonly Controller<Cluster>[] = [buildController, buildConfigController];

/** Starts the first build once. A refused build is not repeated before the BuildConfig changes. */
async function startFirstBuild(config: KubeObject, { client, clock }: Cluster): Promise<void> {
  const isTriggered = listAt(config, "spec", "triggers").some(
    (each) => stringAt(each, "type") === "ConfigChange",
  );
  if (!isTriggered || (numberAt(config, "status", "lastVersion") ?? 0) > 0) return;
  const { name, namespace = "" } = config.metadata;
  const request = { lastVersion: 0, triggeredBy: [{ message: "Build configuration change" }] };
  try {
    await instantiateBuild({ client, requester: client, namespace, name, request, now: clock.now() });
  } catch (error) {
    throw isRefusal(error) ? new TerminalError(messageOf(error)) : error;
  }
}

/** Deletes the oldest ended builds above the history limits of the BuildConfig. */
async function deleteOldBuilds(config: KubeObject, { cache, client }: Cluster): Promise<Result> {
  const { name, namespace = "" } = config.metadata;
  const index = buildIndexOf(cache);
  const limitOf = (field: string) => numberAt(config, "spec", field) ?? defaultHistoryLimit;
  const old = [
    ...index.oldest({ namespace, name }, "complete", limitOf("successfulBuildsHistoryLimit"), maxDeleted),
    ...index.oldest({ namespace, name }, "failed", limitOf("failedBuildsHistoryLimit"), maxDeleted),
  ];
  for (const build of old) await ensureDeleted(client, builds, { namespace, name: build });
  return old.length < maxDeleted ? done : { requeueAfterMs: 1 };
}
