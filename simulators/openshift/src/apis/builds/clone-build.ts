import { randomInt } from "node:crypto";
import { type KubeObject, StatusError } from "@keelson/apiserver";
import { listAt, numberAt, objectAt, stringAt, valueAt } from "@keelson/base";
import { timestamp } from "@keelson/controller";
import { failures } from "../failures.ts";
import { buildConfigs, buildGroup, builds, numberAnnotation } from "./build-refs.ts";
import {
  type Instantiation,
  isPaused,
  newStatus,
  pausedMessage,
  sourceOf,
  withNextVersion,
} from "./instantiate.ts";
import { joinedName } from "./joined-name.ts";
import { requestedStrategy } from "./requested-strategy.ts";

const cloneAnnotation = "openshift.io/build.clone-of";
/** Annotations that describe only the original build. */
const ownAnnotations: ReadonlySet<string> = new Set([
  numberAnnotation,
  "openshift.io/build.pod-name",
  "openshift.io/jenkins-status-json",
  "openshift.io/jenkins-log-url",
  "openshift.io/jenkins-console-log-url",
  "openshift.io/jenkins-blueocean-log-url",
  "openshift.io/jenkins-build-uri",
]);

/**
 * Creates a build with the spec, labels, annotations and owners of an existing build. The binary source is not copied. Source:
 * openshift/openshift-apiserver `pkg/build/apiserver/buildgenerator` (`generateBuildFromBuild`).
 * @throws StatusError
 */
export async function cloneBuild(asked: Instantiation): Promise<KubeObject> {
  const { client, namespace, name, request } = asked;
  const build = await client.get(builds, { namespace, name });
  const spec = objectAt(build, "spec");
  const strategy = objectAt(spec, "strategy");
  const args = listAt(request, "dockerStrategyOptions", "buildArgs");
  if (args.length > 0 && !strategy.dockerStrategy)
    throw failures.badRequest(`Cannot specify build args on ${namespace}/${name}, not a Docker build.`);
  const config = await nextConfig(asked, stringAt(build, "status", "config", "name"));
  const number = String(numberAt(config, "status", "lastVersion") ?? 1);
  const { triggeredBy: _, ...copied } = spec;
  const causes = listAt(request, "triggeredBy");
  const { labels, annotations = {}, ownerReferences } = build.metadata;
  const kept = Object.entries(annotations).filter(([key]) => !ownAnnotations.has(key));
  const configRef = valueAt(build, "status", "config");
  return asked.requester.create(builds, {
    apiVersion: `${buildGroup}/v1`,
    kind: "Build",
    metadata: {
      namespace,
      name: config ? joinedName(config.metadata.name, number) : joinedName(withoutSuffix(name), suffix()),
      ...(labels ? { labels } : {}),
      annotations: {
        ...Object.fromEntries(kept),
        ...(config ? { [numberAnnotation]: number } : {}),
        [cloneAnnotation]: name,
      },
      ...(ownerReferences ? { ownerReferences } : {}),
    },
    spec: {
      ...copied,
      source: sourceOf(objectAt(spec, "source")),
      strategy: requestedStrategy(strategy, {
        env: valueAt(request, "env"),
        dockerStrategyOptions: { buildArgs: args },
      }),
      ...(causes.length > 0 ? { triggeredBy: causes } : {}),
    },
    status: { ...newStatus(timestamp(asked.now)), ...(configRef ? { config: configRef } : {}) },
  });
}

/**
 * Increments the last version of the build's BuildConfig and returns the BuildConfig. `undefined` if the build has no
 * BuildConfig, or if the BuildConfig no longer exists.
 */
async function nextConfig(asked: Instantiation, name: string | undefined): Promise<KubeObject | undefined> {
  if (!name || !(await asked.client.find(buildConfigs, { namespace: asked.namespace, name })))
    return undefined;
  return withNextVersion(asked, name, (config) => {
    if (!isPaused(config)) return;
    const why = `fatal error generating Build from BuildConfig: ${pausedMessage(config)}`;
    throw new StatusError(500, "InternalError", `Internal error occurred: ${why}`);
  });
}

/** Removes the suffix of a clone. */
function withoutSuffix(name: string): string {
  return name.replace(/-\d{10}$/, "");
}

function suffix(): string {
  return String(randomInt(10 ** 10)).padStart(10, "0");
}
