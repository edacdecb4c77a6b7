import { readHiveObjects } from "@keelson/admin-actions";
import { hiveRoute } from "../hive.ts";
import { paths } from "./paths.ts";

/** Objects of the cluster that Hive runs in, as `kind` or `kind.group`. */
export const hiveObjects = hiveRoute(paths.hiveObjects, (hive, exchange) =>
  readHiveObjects(hive, {
    kind: exchange.parameter("hiveResource"),
    namespace: exchange.query("namespace") ?? "",
    name: exchange.query("name") ?? "",
  }),
);
