import type { ActionContext } from "../context/action-context.ts";
import { type ContainerName, checkContainer } from "../context/object-rules.ts";
import type { TextStream } from "./text-stream.ts";

const logLimitBytes = 50 * 1_048_576;

/**
 * Streams the log of a platform container, at most 50 MiB.
 * @throws CloudError Forbidden, InvalidParameter; KubeError of the cluster
 */
export function podLogs({ kube, signal }: ActionContext, container: ContainerName): TextStream {
  checkContainer(container);
  const { namespace, pod } = container;
  const options = { container: container.container, limitBytes: logLimitBytes };
  return kube().logs({ namespace, name: pod }, options, signal);
}
