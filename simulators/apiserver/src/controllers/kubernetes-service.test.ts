import assert from "node:assert/strict";
import { test } from "node:test";
import { scalarStringAt } from "@keelson/apimachinery";
import { valueAt } from "@keelson/base";
import { until } from "@keelson/base/testing/eventually";
import { advertisedAddress } from "../cluster/advertised-address.ts";
import { TestServer } from "../testing/test-server.ts";

const service = "/api/v1/namespaces/default/services/kubernetes";
const endpoints = "/api/v1/namespaces/default/endpoints/kubernetes";
const slice = "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/kubernetes";
const ip = advertisedAddress("127.0.0.1");
const withoutNetwork = ip === undefined && "this machine has no network";

test("a new cluster has the Service of its API server", async () => {
  await using server = await TestServer.start();
  const { body } = await server.call("GET", service);
  assert.deepEqual(valueAt(body, "metadata", "labels"), { component: "apiserver", provider: "kubernetes" });
  assert.equal(scalarStringAt(body, "spec", "clusterIP"), "172.30.0.1");
  const targetPort = server.server.port;
  assert.deepEqual(valueAt(body, "spec", "ports"), [
    { name: "https", port: 443, protocol: "TCP", targetPort },
  ]);
});

test("its Endpoints and EndpointSlice have the server's address", { skip: withoutNetwork }, async () => {
  await using server = await TestServer.start();
  const ports = [{ name: "https", port: server.server.port, protocol: "TCP" }];
  const { body } = await server.call("GET", endpoints);
  assert.deepEqual(valueAt(body, "subsets"), [{ addresses: [{ ip }], ports }]);
  const sliced = await server.call("GET", slice);
  assert.deepEqual(valueAt(sliced.body, "endpoints"), [{ addresses: [ip], conditions: { ready: true } }]);
  assert.deepEqual(valueAt(sliced.body, "ports"), ports);
  assert.equal(scalarStringAt(sliced.body, "metadata", "labels", "kubernetes.io/service-name"), "kubernetes");
});

test("deleted objects are recreated, and changed addresses are restored", {
  skip: withoutNetwork,
}, async () => {
  await using server = await TestServer.start();
  for (const path of [service, endpoints, slice]) {
    const uid = scalarStringAt((await server.call("GET", path)).body, "metadata", "uid");
    assert.equal((await server.call("DELETE", path)).status, 200);
    await until(async () => {
      const now = scalarStringAt((await server.call("GET", path)).body, "metadata", "uid");
      return now !== "" && now !== uid;
    });
  }
  const elsewhere = { subsets: [{ addresses: [{ ip: "192.0.2.9" }], ports: [{ port: 1 }] }] };
  const headers = { "content-type": "application/merge-patch+json" };
  assert.equal((await server.call("PATCH", endpoints, { body: elsewhere, headers })).status, 200);
  await until(async () => (await server.call("GET", endpoints)).text.includes(`"ip":"${ip}"`));
});

test("an address that other machines cannot reach is not advertised", () => {
  assert.equal(advertisedAddress("192.0.2.1"), "192.0.2.1");
  for (const host of ["localhost", "127.0.0.1", "0.0.0.0", "::1"]) {
    assert.doesNotMatch(String(advertisedAddress(host)), /^127\.|^0\./);
  }
});
