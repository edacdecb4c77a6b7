import { type KubeObject, WebhookFailure, type WebhookResponder } from "@keelson/apiserver";
import { listAt, numberAt, stringAt } from "@keelson/base";
import type { ClusterKubelet } from "./cluster-kubelet.ts";
import { succeedsUnknown } from "./processes/unknown-programs.ts";

/**
 * Returns the simulated admission webhook of a pod's port. It allows every request with a warning, because an unknown program
 * cannot review requests. `undefined` if no simulated container declares the port, or if unknown programs of the pod must not
 * succeed.
 */
export function simulatedWebhook(
  kubelet: ClusterKubelet,
  pod: KubeObject,
  port: number,
  address: string,
): WebhookResponder | undefined {
  const { images } = kubelet;
  const isServed = kubelet.workerOf(pod)?.containers.some(({ spec, image, state }) => {
    const { process, hostProgram, unknownPrograms = images.unknownPrograms } = images.behaviourOf(image);
    const declares = listAt(spec, "ports").some((each) => numberAt(each, "containerPort") === port);
    const isSimulated = process === undefined && hostProgram === undefined;
    return state.kind === "running" && declares && isSimulated && succeedsUnknown(pod, unknownPrograms);
  });
  if (!isServed) return undefined;
  const { namespace = "", name } = pod.metadata;
  const warning = `simulated: the webhook in pod ${namespace}/${name} did not review this request`;
  return {
    respond(review) {
      // Other requests are conversions. Their results cannot be guessed, so the connection is refused.
      if (stringAt(review, "kind") !== "AdmissionReview")
        throw new WebhookFailure(`dial tcp ${address}: connect: connection refused`);
      return {
        kind: "AdmissionReview",
        apiVersion: stringAt(review, "apiVersion"),
        response: { uid: stringAt(review, "request", "uid"), allowed: true, warnings: [warning] },
      };
    },
  };
}
