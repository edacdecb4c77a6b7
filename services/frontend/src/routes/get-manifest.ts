import { externalManifest } from "@keelson/model";
import { clusterToMaintain, getManifest } from "../found-manifest.ts";
import type { Route } from "../route.ts";
import { uncheckedVersion } from "../version-rule.ts";
import { paths } from "./paths.ts";

/** What is planned, and how it ended. */
export const getOneManifest: Route = {
  method: "GET",
  path: paths.manifest,
  versions: uncheckedVersion,
  authorization: "caller",
  async handle(exchange, { database }) {
    await clusterToMaintain(exchange, database);
    const { document } = await getManifest(exchange, database);
    return { status: 200, body: externalManifest(document, "one cluster") };
  },
};
