import { isDeepStrictEqual } from "node:util";
import { messageOf, stringsAt } from "@keelson/base";
import { resources } from "@keelson/kube";
import { type ConfigObserver, configAt, configWith } from "@keelson/operator-kit";
import { RE2JS } from "re2js";
import { clusterInput, normal, quotedList, singleton } from "./inputs.ts";

const path = ["corsAllowedOrigins"];
const always = ["//127\\.0\\.0\\.1(:|$)", "//localhost(:|$)"];

/** Observes the origins from which browsers may call the API. Each origin is a regular expression. */
export const observeCorsOrigins: ConfigObserver = {
  name: "ObserveAdditionalCORSAllowedOrigins",
  paths: [path],
  inputs: [clusterInput(resources.apiServers)],
  observe({ objects, existing, report }) {
    const apiServer = objects.find(resources.apiServers, singleton);
    const additional = stringsAt(apiServer, "spec", "additionalCORSAllowedOrigins");
    for (const [index, origin] of additional.entries()) requireOrigin(origin, index);
    const origins = [...new Set([...always, ...additional])].sort();
    const before = [...new Set([...always, ...stringsAt(configAt(existing, path))])].sort();
    if (!isDeepStrictEqual(origins, before))
      report(
        normal("ObserveAdditionalCORSAllowedOrigins", `corsAllowedOrigins changed to ${quotedList(origins)}`),
      );
    return { config: configWith(path, origins) };
  },
};

/**
 * Validates one origin.
 * @throws Error for an expression that prevents kube-apiserver from starting
 */
function requireOrigin(origin: string, index: number): void {
  const subject = `spec.additionalCORSAllowedOrigins[${index}]: ${JSON.stringify(origin)}`;
  if (origin === "") throw new Error(`${subject} cannot be empty`);
  try {
    RE2JS.compile(origin);
  } catch (error) {
    throw new Error(`${subject} is not a regular expression: ${messageOf(error)}`);
  }
  const pinsStart = origin.includes("^") || origin.includes("//");
  const pinsEnd = origin.includes("$") || origin.includes(":");
  if (!pinsStart || !pinsEnd)
    throw new Error(`${subject} does not pin to start/end of host in the origin header`);
}
