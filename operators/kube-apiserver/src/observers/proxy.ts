import { isDeepStrictEqual } from "node:util";
import { stringAt } from "@keelson/base";
import { resources } from "@keelson/kube";
import { type ConfigObserver, configAt, configWith } from "@keelson/operator-kit";
import { clusterInput, normal, singleton } from "./inputs.ts";

const path = ["targetconfigcontroller", "proxy"];
const variables = { NO_PROXY: "noProxy", HTTP_PROXY: "httpProxy", HTTPS_PROXY: "httpsProxy" };

/**
 * Observes the proxy variables in the environment of the API server's pod. These variables are not in the API server's
 * configuration file.
 */
export const observeProxy: ConfigObserver = {
  name: "ObserveProxyConfig",
  paths: [path],
  inputs: [clusterInput(resources.proxies)],
  observe({ objects, existing, report }) {
    const proxy = objects.find(resources.proxies, singleton);
    const environment: Record<string, string> = {};
    for (const [variable, member] of Object.entries(variables)) {
      const value = stringAt(proxy, "status", member);
      if (value) environment[variable] = value;
    }
    if (!isDeepStrictEqual(configAt(existing, path) ?? {}, environment))
      // The Event contains only the names of the variables, because a proxy URL may contain a password.
      report(normal("ObserveProxyConfig", `proxy changed: ${Object.keys(environment).join(", ") || "none"}`));
    return { config: Object.keys(environment).length === 0 ? {} : configWith(path, environment) };
  },
};
