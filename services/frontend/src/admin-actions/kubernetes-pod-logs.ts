import { checkContainer, podLogs } from "@keelson/admin-actions";
import type { AdminAction } from "./running/admin-action.ts";

type Container = { readonly namespace: string; readonly pod: string; readonly container: string };

/** What a container has written. */
export const kubernetesPodLogs: AdminAction<Container> = {
  method: "GET",
  suffix: "kubernetespodlogs",
  mutating: false,
  long: { limitMs: 10 * 60_000 },
  read(request) {
    const container = {
      namespace: request.query("namespace") ?? "",
      pod: request.query("podname") ?? "",
      container: request.query("container") ?? "",
    };
    checkContainer(container);
    return container;
  },
  handle: async (context, container) => ({ status: 200, text: podLogs(context, container) }),
};
