import { stringAt } from "@keelson/base";
import { resources } from "@keelson/kube";
import type { ConfigObserver } from "@keelson/operator-kit";
import { namespaces } from "../config/namespaces.ts";
import { clusterInput, singleton } from "./inputs.ts";

const to = { namespace: namespaces.target, name: "user-client-ca" };

/** Copies the CA that signs users' client certificates. `client-ca` includes this CA. The observer has no configuration path. */
export const observeUserClientCa: ConfigObserver = {
  name: "ObserveUserClientCABundle",
  paths: [],
  inputs: [clusterInput(resources.apiServers)],
  observe({ objects }) {
    const name = stringAt(objects.find(resources.apiServers, singleton), "spec", "clientCA", "name");
    const from = name ? { from: { namespace: namespaces.config, name } } : {};
    return { config: {}, syncRules: [{ resource: resources.configMaps, to, ...from }] };
  },
};
