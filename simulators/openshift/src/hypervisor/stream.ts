import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import { createInterface } from "node:readline";
import { type Backoff, backoffMs, type Clock, type Logger, messageOf, type Secret } from "@keelson/base";
import { errors } from "../base/errors.ts";
import type { MachineView } from "./machine-view.ts";
import { parseMachineEvent } from "./virtual-machine.ts";

export interface HypervisorEndpoint {
  /** URL of the simulated Azure, for example `https://localhost:8444`. */
  readonly url: string;
  readonly adminToken: Secret;
  readonly caPem: string;
}

const reconnect: Backoff = { attempts: Infinity, firstMs: 100, factor: 2, maxMs: 5_000, jitter: 0.2 };
/**
 * Timeout in milliseconds for a silent stream. The server sends an empty line every 10 seconds, so the timeout equals three
 * missing lines.
 */
const silenceMs = 30_000;

/** Updates `view` from the hypervisor's event stream until `signal` aborts. Reconnects after failures. */
export async function followHypervisor(
  endpoint: HypervisorEndpoint,
  view: MachineView,
  deps: { readonly clock: Clock; readonly logger: Logger },
  signal: AbortSignal,
): Promise<void> {
  for (let failures = 0; !signal.aborted; ) {
    try {
      const response = await connect(endpoint, signal);
      failures = 0;
      view.restart();
      for await (const line of createInterface({ input: response, crlfDelay: Infinity }))
        if (line !== "") view.apply(parseMachineEvent(line));
    } catch (error) {
      if (signal.aborted) return;
      deps.logger.warn({ url: endpoint.url, error: messageOf(error) }, "hypervisor stream broke");
    }
    failures += 1;
    await deps.clock.sleep(backoffMs(reconnect, failures), signal).catch(() => undefined);
  }
}

function connect(endpoint: HypervisorEndpoint, signal: AbortSignal): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const outgoing = request(new URL("/sim/virtualMachines", endpoint.url), {
      ca: endpoint.caPem,
      headers: { authorization: `Bearer ${endpoint.adminToken.reveal()}` },
      timeout: silenceMs,
      agent: false,
      signal,
    });
    outgoing.on("timeout", () =>
      outgoing.destroy(errors.HypervisorUnavailable("the hypervisor's stream fell silent")),
    );
    outgoing.on("error", reject);
    outgoing.on("response", (response) => {
      if (response.statusCode === 200) return resolve(response);
      response.destroy();
      reject(
        errors.HypervisorUnavailable(`the hypervisor's stream answered with status ${response.statusCode}`),
      );
    });
    outgoing.end();
  });
}
