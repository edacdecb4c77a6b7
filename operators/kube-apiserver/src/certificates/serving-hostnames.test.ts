import assert from "node:assert/strict";
import { test } from "node:test";
import { loadBalancerHostname, serviceHostnames } from "./serving-hostnames.ts";

function config(status: unknown) {
  return { apiVersion: "config.openshift.io/v1", kind: "Network", metadata: { name: "cluster" }, status };
}

test("the service network has the names of the API server's Services and the first address of each range", () => {
  assert.deepEqual(serviceHostnames(config({ serviceNetwork: ["172.30.0.0/16", "fd02::/112"] })), [
    "kubernetes",
    "kubernetes.default",
    "kubernetes.default.svc",
    "kubernetes.default.svc.cluster.local",
    "openshift",
    "openshift.default",
    "openshift.default.svc",
    "openshift.default.svc.cluster.local",
    "172.30.0.1",
    "fd02::1",
  ]);
});

for (const [range, address] of [
  ["172.30.77.9/16", "172.30.0.1"],
  ["10.0.0.128/25", "10.0.0.129"],
  ["2001:db8:1:2:3:4:5:6/64", "2001:db8:1:2::1"],
  ["::ffff:0:0/96", "::ffff:0:1"],
  ["0.0.0.0/0", "0.0.0.1"],
] as const)
  test(`the first address of ${range}`, () => {
    assert.equal(serviceHostnames(config({ serviceNetwork: [range] })).at(-1), address);
  });

for (const [name, status] of [
  ["no status", undefined],
  ["no range", { serviceNetwork: [] }],
  ["a range that is no text", { serviceNetwork: [7] }],
  ["a range without a prefix", { serviceNetwork: ["172.30.0.0"] }],
  ["a prefix that is too long", { serviceNetwork: ["172.30.0.0/33"] }],
  ["an address that is none", { serviceNetwork: ["172.30.0/16"] }],
] as const)
  test(`a network with ${name} is rejected`, () => {
    assert.throws(() => serviceHostnames(config(status)), /serviceNetwork|ServiceNetwork/);
  });

for (const [url, host] of [
  ["https://api.demo.example:6443", "api.demo.example"],
  ["https://api.demo.example", "api.demo.example"],
  ["https://[fd02::10]:6443", "fd02::10"],
  ["https://10.0.0.4:6443/", "10.0.0.4"],
] as const)
  test(`the host of ${url}`, () => {
    assert.equal(loadBalancerHostname(config({ apiServerURL: url }), "apiServerURL"), host);
  });

for (const url of ["", "api.demo.example", 7, null])
  test(`${JSON.stringify(url)} is not a URL of an API server`, () => {
    assert.throws(
      () => loadBalancerHostname(config({ apiServerInternalURI: url }), "apiServerInternalURI"),
      /status\.apiServerInternalURI/,
    );
  });
