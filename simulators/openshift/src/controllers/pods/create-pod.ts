import type { KubeObject } from "@keelson/apiserver";
import { messageOf } from "@keelson/base";
import { resources } from "../../base/resources.ts";
import { recordEvent } from "../../workload-context/record-event.ts";
import type { WorkloadContext } from "../../workload-context/workload-context.ts";

/** Maximum length of an Event's message in characters (K/client-go tools/record). */
const longestMessage = 1_024;

/**
 * Creates a pod for its owner. If the API server refuses the pod, an Event of the owner contains the reason
 * (K/kubernetes pkg/controller/controller_utils.go).
 * @throws StatusError so that the controller retries the owner
 */
export async function createPod(
  owner: KubeObject,
  pod: KubeObject,
  context: WorkloadContext,
  prefix = "Error creating: ",
): Promise<void> {
  try {
    await context.create(resources.pods, pod);
  } catch (error) {
    const { name, generateName } = pod.metadata;
    // Without the generated part of the name, repeated failures have the same message. They then increment the count of one
    // Event.
    const reason =
      generateName === undefined ? messageOf(error) : messageOf(error).replaceAll(name, generateName);
    await recordEvent(context, owner, {
      type: "Warning",
      reason: "FailedCreate",
      message: `${prefix}${reason}`.slice(0, longestMessage),
      source: `${owner.kind.toLowerCase()}-controller`,
    });
    throw error;
  }
}
