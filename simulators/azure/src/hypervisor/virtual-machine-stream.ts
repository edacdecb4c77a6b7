import { createHash, timingSafeEqual } from "node:crypto";
import type { ServerResponse } from "node:http";
import { aborted, type Clock, type Logger, type Secret } from "@keelson/base";
import type { VirtualMachineEvent, VirtualMachineFeed } from "./virtual-machine-feed.ts";

const heartbeatMs = 10_000;

/**
 * Maximum buffer size per reader in bytes. A reader that exceeds this size is disconnected. When the reader reconnects, it
 * receives the complete state.
 */
const maxBufferedBytes = 64 * 1024 * 1024;

/** True for the administrator's token. The comparison takes constant time, even if the lengths differ. */
export function isAdmin(authorization: string | undefined, adminToken: Secret): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(authorization ?? ""), digest(`Bearer ${adminToken.reveal()}`));
}

/** Writes the feed to a response as JSON lines until either side closes. An empty line is sent every ten seconds. */
export async function streamVirtualMachines(
  response: ServerResponse,
  feed: VirtualMachineFeed,
  deps: { readonly clock: Clock; readonly logger: Logger; readonly signal: AbortSignal },
): Promise<void> {
  const gone = new AbortController();
  response.on("close", () => gone.abort());
  response.on("error", () => gone.abort());
  const signal = AbortSignal.any([deps.signal, gone.signal]);
  response.writeHead(200, { "content-type": "application/x-ndjson", "cache-control": "no-store" });
  const write = (event: VirtualMachineEvent) => {
    response.write(`${JSON.stringify(event)}\n`);
    if (response.writableLength > maxBufferedBytes) {
      deps.logger.warn("reader of virtual machines is too slow");
      gone.abort();
    }
  };
  feed.subscribe(write, signal);
  try {
    for (;;) {
      await deps.clock.sleep(heartbeatMs, signal);
      response.write("\n");
    }
  } catch {
    await aborted(signal);
    response.destroy();
  }
}
