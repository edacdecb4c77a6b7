import { randomUUID } from "node:crypto";
import { create } from "@keelson/database";
import { externalManifest, type MaintenanceManifestDocument, parseManifestRequest } from "@keelson/model";
import { unexpectedResult } from "../conflict-retry.ts";
import { clusterToMaintain } from "../found-manifest.ts";
import type { Route } from "../route.ts";
import { uncheckedVersion } from "../version-rule.ts";
import { paths } from "./paths.ts";

/** Plans a task for a cluster. Every call makes a manifest of its own. */
export const putManifest: Route = {
  method: "PUT",
  path: paths.manifests,
  versions: uncheckedVersion,
  authorization: "caller",
  async handle(exchange, { database, clock }) {
    const { key } = (await clusterToMaintain(exchange, database)).document;
    const document: MaintenanceManifestDocument = {
      id: randomUUID(),
      partitionKey: key,
      clusterResourceID: key,
      maintenanceManifest: exchange.read((body) => parseManifestRequest(body, clock.now())),
    };
    const write = create(database.collections.manifests, document);
    const result = await database.commit(key, [write], { signal: exchange.signal });
    if (result.kind !== "committed") throw unexpectedResult(result);
    return { status: 201, body: externalManifest(document, "one cluster") };
  },
};
