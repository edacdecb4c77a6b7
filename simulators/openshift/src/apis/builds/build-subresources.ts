import type { AggregatedResource, NamedCall, SubresourceHandlers } from "@keelson/apiserver";
import type { ApiContext } from "../api-context.ts";
import { podOfLog } from "./build-log.ts";
import { builds } from "./build-refs.ts";
import { cloneBuild } from "./clone-build.ts";
import { type Instantiation, instantiateBuild } from "./instantiate.ts";

/** Adds the subresources of builds and BuildConfigs to a resource. Other resources stay unchanged. */
export function withBuildSubresources(
  context: ApiContext,
): (resource: AggregatedResource) => AggregatedResource {
  const { client, clock } = context;
  const asked = (call: NamedCall, request: unknown): Instantiation => ({
    client,
    requester: call.client,
    namespace: call.namespace ?? "",
    name: call.name,
    request,
    dryRun: call.dryRun,
    now: clock.now(),
  });
  const added: Readonly<Record<string, Readonly<Record<string, SubresourceHandlers>>>> = {
    BuildConfig: {
      instantiate: { kind: "BuildRequest", create: (call, body) => instantiateBuild(asked(call, body)) },
      /** The body contains the source code, which the simulation does not read. */
      instantiatebinary: {
        kind: "BinaryBuildRequestOptions",
        upload: (call) => instantiateBuild(asked(call, { binary: binaryOf(call.query) })),
      },
    },
    Build: {
      clone: { kind: "BuildRequest", create: (call, body) => cloneBuild(asked(call, body)) },
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
