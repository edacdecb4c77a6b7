import { listAt, stringAt, stringsAt } from "@keelson/base";
import { resources } from "@keelson/kube";
import { type ClusterDocument, parseSubnetId, subnetsOf } from "@keelson/model";
import type { ClusterView } from "../cluster-view.ts";
import { defineCollector } from "../collector.ts";
import { missingNoProxy, noProxyEntries, type ProxyExceptions } from "../no-proxy.ts";

const metric = "clusterWideProxy.status";
const cluster = { name: "cluster" };

export const clusterWideProxy = defineCollector({
  name: "emitCWPStatus",
  metrics: {
    [metric]: {
      help: "1 for each cluster. The dimension status is true if the proxy configuration is invalid, and Message has the reason.",
      dimensions: ["status", "Message"],
    },
  },
  async collect({ view, document, emit, explain, signal }) {
    const proxy = await view.get(resources.proxies, cluster);
    const wanted = (member: string) => stringAt(proxy, "spec", member) ?? "";
    if (["httpProxy", "httpsProxy", "noProxy"].every((member) => wanted(member) === ""))
      return emit(metric, 1, { status: "false", Message: "CWP Not Enabled" });
    const inForce = stringAt(proxy, "status", "noProxy") ?? "";
    if (inForce === "")
      emit(metric, 1, {
        status: "true",
        // The trailing space is intended, because dashboards expect it in this value.
        Message:
          "CWP NOT Enabled Successfully. Check the network operator status or review the noProxy items ",
      });
    const entries = noProxyEntries(inForce || wanted("noProxy"));
    const missing = missingNoProxy(entries, await exceptionsOf(view, document, signal));
    if (missing.length === 0)
      return emit(metric, 1, { status: "false", Message: "CWP enabled successfully" });
    const Message = `CWP enabled but missing  ${missing.join(",")} in the no_proxy list`;
    emit(metric, 1, { status: "true", Message });
    explain({ metric, status: "true", Message });
  },
});

async function exceptionsOf(
  view: ClusterView,
  { openShiftCluster }: ClusterDocument,
  signal: AbortSignal,
): Promise<ProxyExceptions> {
  const [dns, network, infrastructure, aro, machineNetworks] = await Promise.all([
    view.get(resources.operatorDnses, { name: "default" }),
    view.get(resources.configNetworks, cluster),
    view.get(resources.infrastructures, cluster),
    view.aroCluster(),
    Promise.all(subnetsOf(openShiftCluster).map(({ id }) => prefixesOf(view, id, signal))),
  ]);
  const pods = listAt(network, "spec", "clusterNetwork").map((each) => stringAt(each, "cidr") ?? "");
  return {
    machineNetworks: machineNetworks.flat(),
    clusterNetworks: [...pods.filter(Boolean), ...stringsAt(network, "spec", "serviceNetwork")],
    gatewayDomains: stringsAt(aro, "spec", "gatewayDomains"),
    domain: stringAt(aro, "spec", "domain") ?? "",
    internalApiHost: hostOf(stringAt(infrastructure, "status", "apiServerInternalURI")),
    apiHost: hostOf(openShiftCluster.properties.apiserverProfile.url),
    hasOwnDns: listAt(dns, "spec", "servers").length > 0,
  };
}

async function prefixesOf(
  view: ClusterView,
  subnetId: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { resourceGroup, virtualNetwork, name } = parseSubnetId(subnetId);
  const { azure } = view;
  const subnet = await azure.network.subnets.get(resourceGroup, virtualNetwork, name, azure.call(signal));
  return [...(subnet.addressPrefix ? [subnet.addressPrefix] : []), ...(subnet.addressPrefixes ?? [])];
}

function hostOf(url: string | undefined): string {
  return url !== undefined && URL.canParse(url) ? new URL(url).hostname : "";
}
