import { isDeepStrictEqual } from "node:util";
import { stringsAt } from "@keelson/base";
import { resources } from "@keelson/kube";
import { type ConfigObserver, configAt, configWith } from "@keelson/operator-kit";
import { clusterInput, normal, quotedList, singleton } from "./inputs.ts";

const path = ["corsAllowedOrigins"];
const always = ["//127\\.0\\.0\\.1(:|$)", "//localhost(:|$)"];

/** Origins, as regular expressions, whose pages in a browser may call the API. */
export const observeCorsOrigins: ConfigObserver = {
  name: "ObserveAdditionalCORSAllowedOrigins",
  paths: [path],
  inputs: [clusterInput(resources.apiServers)],
  observe({ objects, existing, report }) {
    const apiServer = objects.find(resources.apiServers, singleton);
    const additional = stringsAt(apiServer, "spec", "additionalCORSAllowedOrigins");
    const origins = [...new Set([...always, ...additional])].sort();
    const before = [...new Set([...always, ...stringsAt(configAt(existing, path))])].sort();
    if (!isDeepStrictEqual(origins, before))
      report(
        normal("ObserveAdditionalCORSAllowedOrigins", `corsAllowedOrigins changed to ${quotedList(origins)}`),
      );
    return { config: configWith(path, origins) };
  },
};
