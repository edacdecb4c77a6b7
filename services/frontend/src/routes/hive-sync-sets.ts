import { getSyncSet, listSyncSets } from "@keelson/admin-actions";
import { CloudError } from "@keelson/arm";
import { queryFlag } from "../admin-actions/query-flag.ts";
import type { Exchange } from "../exchange.ts";
import { hiveRoute } from "../hive.ts";
import { paths } from "./paths.ts";

/** What Hive keeps in clusters: in those of a namespace (`issyncset=true`), or in all that have a label. */
export const hiveSyncSets = hiveRoute(paths.hiveSyncSets, async (hive, exchange) =>
  listSyncSets(hive, { ...syncSetQuery(exchange), label: exchange.query("label") ?? "" }),
);

/** One of them. */
export const hiveSyncSet = hiveRoute(paths.hiveSyncSet, async (hive, exchange) =>
  getSyncSet(hive, { ...syncSetQuery(exchange), name: exchange.parameter("syncSetName") }),
);

function syncSetQuery(exchange: Exchange) {
  if (exchange.query("issyncset") === undefined) throw invalidFlag();
  let isSyncSet: boolean;
  try {
    isSyncSet = queryFlag(exchange, "issyncset");
  } catch {
    throw invalidFlag();
  }
  return { isSyncSet, namespace: exchange.query("cdnamespace") ?? "" };
}

function invalidFlag(): CloudError {
  return new CloudError("InvalidRequestContent", "invalid paremeter value: issyncset", {
    target: "issyncset",
  });
}
