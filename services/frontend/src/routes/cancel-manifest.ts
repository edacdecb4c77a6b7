import { replace } from "@keelson/database";
import { cancelManifest, externalManifest } from "@keelson/model";
import { conflict, retryConflicts, unexpectedResult } from "../conflict-retry.ts";
import { clusterToMaintain, getManifest } from "../found-manifest.ts";
import type { Route } from "../route.ts";
import { uncheckedVersion } from "../version-rule.ts";
import { paths } from "./paths.ts";

/** Calls off a task that has not begun. Either this or the actuator wins: both write the version they read. */
export const cancelOneManifest: Route = {
  method: "POST",
  path: paths.cancelManifest,
  versions: uncheckedVersion,
  authorization: "caller",
  async handle(exchange, { database, clock }) {
    await clusterToMaintain(exchange, database);
    return retryConflicts(clock, exchange.signal, async () => {
      const stored = await getManifest(exchange, database);
      const document = cancelManifest(stored.document);
      const write = replace(database.collections.manifests, stored, document);
      const { partitionKey } = document;
      const result = await database.commit(partitionKey, [write], { signal: exchange.signal });
      if (result.kind === "conflict") return conflict;
      if (result.kind !== "committed") throw unexpectedResult(result);
      return { status: 200, body: externalManifest(document, "one cluster") };
    });
  },
};
