import { once } from "node:events";
import { connect } from "node:tls";
import { withTimeout } from "@keelson/base";
import type { WebhookService } from "./webhook-services.ts";

/**
 * Resolves the host name of the Service, connects to the Service, and verifies its server certificate. An API server performs the
 * same steps before each webhook call.
 */
export async function dialWebhook(
  { namespace, service, port, authorities, timeoutMs }: WebhookService,
  signal: AbortSignal,
): Promise<void> {
  const host = `${service}.${namespace}.svc`;
  const limit = withTimeout(signal, timeoutMs);
  const verify = authorities === "" ? {} : { ca: authorities };
  const socket = connect({ host, port, servername: host, ...verify });
  const stop = () =>
    socket.destroy(new Error(`${host}:${port} did not respond within ${timeoutMs / 1_000} s`));
  limit.addEventListener("abort", stop, { once: true });
  try {
    await once(socket, "secureConnect");
  } finally {
    limit.removeEventListener("abort", stop);
    socket.destroy();
  }
}
