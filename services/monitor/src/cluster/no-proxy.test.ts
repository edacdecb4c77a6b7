import assert from "node:assert/strict";
import { test } from "node:test";
import { missingNoProxy, noProxyEntries, type ProxyExceptions } from "./no-proxy.ts";

const needed: ProxyExceptions = {
  machineNetworks: ["10.0.0.0/27", "10.0.1.0/24"],
  clusterNetworks: ["10.128.0.0/14", "172.30.0.0/16"],
  gatewayDomains: ["ARM.azure.com", "eastus.data.azurecr.io"],
  domain: "demo.example.org",
  internalApiHost: "api-int.demo.example.org",
  apiHost: "api.demo.example.org",
  hasOwnDns: false,
};
const complete =
  "localhost,127.0.0.1, .svc ,.cluster.local,169.254.169.254,168.63.129.16,10.0.0.0/27,10.0.1.0/24,10.128.0.0/14,172.30.0.0/16,arm.azure.com,azurecr.io,.demo.example.org";

const cases: readonly (readonly [string, string, readonly string[], Partial<ProxyExceptions>?])[] = [
  ["nothing is missing", complete, []],
  [
    "each of them is reported",
    complete.replace("localhost,", "").replace("10.0.1.0/24,", ""),
    ["localhost", "10.0.1.0/24"],
  ],
  [
    "Azure's DNS is not needed beside own servers",
    complete.replace("168.63.129.16,", ""),
    [],
    { hasOwnDns: true },
  ],
  ["Azure's DNS is needed without", complete.replace("168.63.129.16,", ""), ["168.63.129.16"]],
  ["the last label alone covers nothing", complete.replace("azurecr.io", "io"), ["eastus.data.azurecr.io"]],
  [
    "without the cluster's domain, its hosts are needed",
    complete.replace(".demo.example.org", "api.demo.example.org"),
    ["demo.example.org", "api-int.demo.example.org"],
  ],
  [
    "hosts that are not known yet are not needed",
    complete.replace(".demo.example.org", "demo.example.com"),
    ["demo.example.org"],
    { internalApiHost: "", apiHost: "" },
  ],
  [
    "the applications' domain stands for the cluster's",
    complete.replace(
      ".demo.example.org",
      ".apps.demo.example.org,api.demo.example.org,api-int.demo.example.org",
    ),
    [],
  ],
];
for (const [name, list, missing, more] of cases)
  test(name, () => assert.deepEqual(missingNoProxy(noProxyEntries(list), { ...needed, ...more }), missing));
