import assert from "node:assert/strict";
import { test } from "node:test";
import { proxyPath } from "./proxy-path.ts";

const id = "/subscriptions/s/resourcegroups/g/providers/microsoft.redhatopenshift/openshiftclusters/n";
const proxy = `${id}/kubeconfig/proxy`;

const accepted: readonly (readonly [url: string, target: string])[] = [
  [proxy, "/"],
  [`${proxy}/`, "/"],
  [
    `${proxy}/api/v1/namespaces/default/pods?watch=true&x=a%2Fb..`,
    "/api/v1/namespaces/default/pods?watch=true&x=a%2Fb..",
  ],
  [`${proxy}/apis/x.io/v1/CamelCase/Some%20Name`, "/apis/x.io/v1/CamelCase/Some%20Name"],
  [`${proxy}/api/v1/nodes/`, "/api/v1/nodes/"],
  [
    `/Subscriptions/s/resourceGroups/G/providers/Microsoft.RedHatOpenShift/openShiftClusters/N/KubeConfig/Proxy/Api`,
    "/Api",
  ],
];
for (const [url, target] of accepted)
  test(`${url.slice(0, 150)} leads to ${target}`, () =>
    assert.deepEqual(proxyPath(url), { clusterId: id, target }));

const refused = [
  "/",
  `${id}/kubeconfig/proxyx/api`,
  `${id}/kubeconfig/new`,
  `${proxy}/../../x`,
  `${proxy}/api/../../../m/kubeconfig/proxy/api`,
  `${proxy}/api/%2e%2e/x`,
  `${proxy}/api/%2E./x`,
  `${proxy}/api/%252e%252e/x`,
  `${proxy}/./api`,
  `${proxy}//api`,
  `${proxy}/api//v1`,
  `${proxy}/api%2fv1`,
  `${proxy}/api%5cv1`,
  `${proxy}/api\\v1`,
  `${proxy}/api/%`,
  `${proxy}/api/%zz`,
  `${id.replace("/n", "/..%2fm")}/kubeconfig/proxy/api`,
  `${id.replace("/n", "//n")}/kubeconfig/proxy/api`,
  `https://other.example${proxy}/api`,
];
for (const url of refused) test(`${url} leads nowhere`, () => assert.equal(proxyPath(url), undefined));
