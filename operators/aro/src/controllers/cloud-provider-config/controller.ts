import { singleton } from "@keelson/aro-api";
import { messageOf, stringAt } from "@keelson/base";
import { named, TerminalError, watchFor } from "@keelson/controller";
import { resources } from "@keelson/kube";
import { done } from "../../runtime/aro-controller.ts";
import { switchedOn } from "../../runtime/flags.ts";
import { may, reading } from "../../runtime/may.ts";
import type { RegisteredController } from "../../runtime/registered-controller.ts";
import { withoutOutboundSnat } from "./outbound-snat.ts";

const { configMaps } = resources;
const key = { namespace: "openshift-config", name: "cloud-provider-config" };
const member = "config";
const described = `ConfigMap ${key.namespace}/${key.name}`;

/**
 * Disables outbound SNAT for the load balancers of the cloud provider. Nodes must not use load balancer frontends for outbound
 * traffic, because the service provides a separate egress.
 */
export const cloudProviderConfig: RegisteredController = {
  name: "CloudProviderConfig",
  flag: "aro.cloudproviderconfig.enabled",
  flags: { "aro.cloudproviderconfig.enabled": switchedOn },
  documentation: {
    purpose:
      "`disableOutboundSNAT: true` in field `config` of ConfigMap `openshift-config/cloud-provider-config`.",
    improvement:
      "Preserves unknown fields, exact numbers and indentation. If the configuration cannot be parsed, the controller becomes Degraded and does not change it.",
  },
  watches: [
    watchFor(configMaps, singleton, {
      selection: { namespace: key.namespace, fieldSelector: `metadata.name=${key.name}` },
      where: named(key.name),
    }),
  ],
  permissions: [
    may([...reading, "patch"], "", ["configmaps"], { namespace: key.namespace, resourceNames: [key.name] }),
  ],
  async reconcile({ objects }) {
    const live = await objects.find(configMaps, key);
    if (!live) throw new TerminalError(`${described} is missing`);
    const text = stringAt(live, "data", member);
    if (text === undefined) throw new TerminalError(`field ${member} in ${described} is missing`);
    await objects.correct(configMaps, live, { data: { [member]: corrected(text) } });
    return done;
  },
};

function corrected(text: string): string {
  try {
    return withoutOutboundSnat(text);
  } catch (error) {
    throw new TerminalError(`field ${member} in ${described} ${messageOf(error)}`);
  }
}
