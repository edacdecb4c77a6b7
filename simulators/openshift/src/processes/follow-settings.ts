import {
  type Backoff,
  backoffMs,
  type Clock,
  isPlainObject,
  type Logger,
  listAt,
  messageOf,
  stringAt,
  withTimeout,
} from "@keelson/base";
import { errors } from "../base/errors.ts";
import { parseFault } from "../faults/fault.ts";
import { parseImageRule } from "../kubelet/processes/image-rule.ts";
import { parseUpdateGraph } from "../updates/update-graph.ts";
import { getFromAdmin } from "./admin-request.ts";
import type { AdminEndpoint } from "./cluster-share.ts";
import type { WorldSettings } from "./world-settings.ts";

const reconnect: Backoff = { attempts: Infinity, firstMs: 100, factor: 2, maxMs: 2_000, jitter: 0.2 };
/** Time limit in milliseconds of a request. The first process responds after at most 20 seconds. */
const requestMs = 60_000;

/**
 * Applies the settings of the first process until `signal` aborts: first the current settings, then each change. Reconnects after
 * failures.
 */
export async function followSettings(
  { admin, process }: { readonly admin: AdminEndpoint; readonly process: number },
  apply: (settings: WorldSettings) => void,
  { clock, logger }: { readonly clock: Clock; readonly logger: Logger },
  signal: AbortSignal,
): Promise<void> {
  let revision = "";
  for (let failures = 0; !signal.aborted; ) {
    try {
      const query = new URLSearchParams({ process: `${process}`, revision });
      const settings = parseSettings(
        await getFromAdmin(admin, `/settings?${query}`, withTimeout(signal, requestMs)),
      );
      failures = 0;
      if (settings.revision !== revision) apply(settings);
      revision = settings.revision;
    } catch (error) {
      if (signal.aborted) return;
      failures += 1;
      if (failures === 1)
        logger.warn(
          { url: admin.url, error: messageOf(error) },
          "settings of the first process are unavailable",
        );
      await clock.sleep(backoffMs(reconnect, failures), signal).catch(() => undefined);
    }
  }
}

/** @throws ClustersUnavailable if the response contains no settings */
function parseSettings(value: unknown): WorldSettings {
  const revision = stringAt(value, "revision");
  if (!isPlainObject(value) || revision === undefined)
    throw errors.ClustersUnavailable("the first process responded without settings");
  return {
    revision,
    faults: listAt(value, "faults").map((each) => {
      if (!isPlainObject(each)) throw errors.ClustersUnavailable("a fault is no object");
      const { id, ...fault } = each;
      return { id: String(id), ...parseFault(fault) };
    }),
    imageRules: listAt(value, "imageRules").map(parseImageRule),
    updates: value.updates === undefined ? undefined : parseUpdateGraph(value.updates),
  };
}
