import { remove } from "@keelson/database";
import { conflict, retryConflicts, unexpectedResult } from "../conflict-retry.ts";
import { getManifest } from "../found-manifest.ts";
import type { Route } from "../route.ts";
import { uncheckedVersion } from "../version-rule.ts";
import { paths } from "./paths.ts";

/** Removes a manifest, also of a cluster that is gone. What an actuator does under it ends with its lease. */
export const deleteManifest: Route = {
  method: "DELETE",
  path: paths.manifest,
  versions: uncheckedVersion,
  authorization: "caller",
  handle: (exchange, { database, clock }) =>
    retryConflicts(clock, exchange.signal, async () => {
      const stored = await getManifest(exchange, database);
      const write = remove(database.collections.manifests, stored);
      const { partitionKey } = stored.document;
      const result = await database.commit(partitionKey, [write], { signal: exchange.signal });
      if (result.kind === "conflict") return conflict;
      if (result.kind !== "committed") throw unexpectedResult(result);
      return { status: 200, body: {} };
    }),
};
