import { checkContainer, podLogs } from "@keelson/admin-actions";
import type { AdminAction } from "../admin-action.ts";

type Container = { readonly namespace: string; readonly pod: string; readonly container: string };

/** What a container has written. */
export const kubernetesPodLogs: AdminAction<Container> = {
  method: "GET",
  suffix: "kubernetespodlogs",
  mutating: false,
  long: { limitMs: 10 * 60_000 },
  read(exchange) {
    const container = {
      namespace: exchange.query("namespace") ?? "",
      pod: exchange.query("podname") ?? "",
      container: exchange.query("container") ?? "",
    };
    checkContainer(container);
    return container;
  },
  handle: async (context, container) => ({ status: 200, text: podLogs(context, container) }),
};
