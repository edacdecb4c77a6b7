import type { AggregatedResource, KubeObject, NamedCall, SubresourceHandlers } from "@keelson/apiserver";
import { objectAt, valueAt } from "@keelson/base";
import { isControlledBy } from "@keelson/controller";
import { resources } from "../../base/resources.ts";
import type { ApiContext } from "../api-context.ts";
import { failures } from "../failures.ts";
import { buildPodName, builds, configLabel, phaseOf } from "./build-refs.ts";
import { instantiateBuild } from "./instantiate.ts";

/** Time in ms for which a log request waits for the start of a build. */
const logWaitMs = 10_000;
const pollMs = 100;

/** Adds the subresources of builds and BuildConfigs to a resource. Other resources stay unchanged. */
export function withBuildSubresources(
  context: ApiContext,
): (resource: AggregatedResource) => AggregatedResource {
  const { client, clock } = context;
  const instantiate = (call: NamedCall, name: string, request: unknown) =>
    instantiateBuild({
      client,
      requester: call.client,
      namespace: call.namespace ?? "",
      name,
      request,
      dryRun: call.dryRun,
      now: clock.now(),
    });
  const added: Readonly<Record<string, Readonly<Record<string, SubresourceHandlers>>>> = {
    BuildConfig: {
      instantiate: { kind: "BuildRequest", create: (call, body) => instantiate(call, call.name, body) },
      /** The body is the source, which nothing reads. */
      instantiatebinary: {
        kind: "BinaryBuildRequestOptions",
        upload: (call) => instantiate(call, call.name, { binary: binaryOf(call.query) }),
      },
    },
    Build: {
      clone: {
        kind: "BuildRequest",
        create: async (call, body) => {
          const build = await client.get(builds, { namespace: call.namespace, name: call.name });
          const config = build.metadata.labels?.[configLabel];
          if (config === undefined)
            throw failures.badRequest(`build ${call.name} has no BuildConfig, so it cannot be cloned`);
          const binary = valueAt(build, "spec", "source", "binary");
          return instantiate(call, config, { ...objectAt(body), ...(binary ? { binary } : {}) });
        },
      },
      log: { kind: "BuildLog", podLog: (call) => podOfLog(call, context) },
    },
  };
  return (resource) => {
    const subresources = resource.group === builds.group ? added[resource.kind] : undefined;
    return subresources ? { ...resource, subresources } : resource;
  };
}

function binaryOf(query: URLSearchParams): object {
  const asFile = query.get("asFile");
  return asFile ? { asFile } : {};
}

/**
 * Returns the pod with the log of a build. Waits until the build has started.
 * @throws StatusError 400 for a build without a log
 */
async function podOfLog(call: NamedCall, { client, clock }: ApiContext): Promise<KubeObject> {
  const key = { namespace: call.namespace, name: call.name };
  const endMs = clock.monotonicMs() + logWaitMs;
  let build = await client.get(builds, key);
  while (["New", "Pending"].includes(phaseOf(build))) {
    if (clock.monotonicMs() > endMs)
      throw failures.badRequest(`timed out waiting for build ${call.name} to start`);
    await clock.sleep(pollMs, call.signal);
    build = await client.get(builds, key);
  }
  const phase = phaseOf(build);
  if (phase === "Cancelled" || phase === "Error")
    throw failures.badRequest(
      `build ${call.name} ${phase === "Error" ? "is in an error state" : "was cancelled"}. No logs are available.`,
    );
  const pod = await client.find(resources.pods, { namespace: call.namespace, name: buildPodName(build) });
  if (!pod || !isControlledBy(pod, build))
    throw failures.badRequest(`pod "${buildPodName(build)}" not found`);
  return pod;
}
