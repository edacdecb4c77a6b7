import { type KubeObject, type NamedCall, StatusError } from "@keelson/apiserver";
import { isControlledBy } from "@keelson/controller";
import { resources } from "../../base/resources.ts";
import type { ApiContext } from "../api-context.ts";
import { failures } from "../failures.ts";
import { buildPodName, builds, configOf, numberOf, phaseOf } from "./build-refs.ts";
import { joinedName } from "./joined-name.ts";

/** Time in ms for which a log request waits for the start of a build. */
const waitMs = 30_000;
/** Minimum and maximum time in ms between two checks. */
const minPollMs = 100;
const maxPollMs = 1_000;
const noLogs = "No logs are available.";

/**
 * Returns the pod with the log of a build. Waits until the build has started. If the client requests `nowait` and the build has
 * not started, returns `undefined`. Source: openshift/openshift-apiserver `pkg/build/apiserver/registry/buildlog`.
 * @throws StatusError 400 for a build without a log, 504 if the build has not started in time
 */
export async function podOfLog(
  call: Pick<NamedCall, "name" | "namespace" | "query" | "signal">,
  context: Pick<ApiContext, "client" | "clock">,
): Promise<KubeObject | undefined> {
  const { client } = context;
  const { namespace, query } = call;
  let build = await client.get(builds, { namespace, name: call.name });
  if (isSet(query, "previous")) build = await client.get(builds, previousOf(build));
  const { name } = build.metadata;
  if (isWaiting(build)) {
    if (isSet(query, "nowait")) return undefined;
    build = await started(build, call.signal, context);
    if (phaseOf(build) === "Error")
      throw failures.badRequest(`build ${name} encountered an error: ${noLogs}`);
    if (phaseOf(build) === "Cancelled") throw failures.badRequest(`build ${name} was cancelled: ${noLogs}`);
  }
  if (phaseOf(build) === "Cancelled") throw failures.badRequest(`build ${name} was cancelled. ${noLogs}`);
  if (phaseOf(build) === "Error") throw failures.badRequest(`build ${name} is in an error state. ${noLogs}`);
  const pod = await client.find(resources.pods, { namespace, name: buildPodName(build) });
  if (!pod || !isControlledBy(pod, build))
    throw failures.badRequest(`pod "${buildPodName(build)}" not found`);
  return pod;
}

/** Waits until a build is neither new nor pending. @throws StatusError */
async function started(
  { metadata: { namespace, name } }: KubeObject,
  signal: AbortSignal,
  { client, clock }: Pick<ApiContext, "client" | "clock">,
): Promise<KubeObject> {
  const endMs = clock.monotonicMs() + waitMs;
  for (let pollMs = minPollMs; ; pollMs = Math.min(2 * pollMs, maxPollMs)) {
    await clock.sleep(pollMs, signal);
    const build = await client.find(builds, { namespace, name });
    if (!build) throw failures.badRequest(`unable to wait for build ${name} to run: the build was deleted`);
    if (!isWaiting(build)) return build;
    if (clock.monotonicMs() >= endMs) {
      const why = `Timeout: timed out waiting for build ${name} to start after 30s`;
      throw new StatusError(504, "Timeout", why, { retryAfterSeconds: 1 });
    }
  }
}

function isWaiting(build: KubeObject): boolean {
  return ["New", "Pending"].includes(phaseOf(build));
}

function previousOf(build: KubeObject) {
  const { namespace, name } = configOf(build) ?? { ...build.metadata, name: "" };
  return { namespace, name: joinedName(name, String(numberOf(build) - 1)) };
}

function isSet(query: URLSearchParams, option: string): boolean {
  const text = query.get(option)?.toLowerCase();
  return text !== undefined && text !== "false" && text !== "0";
}
