import assert from "node:assert/strict";
import { test } from "node:test";
import { withProperties } from "@keelson/model";
import { newCluster } from "@keelson/model/testing";
import { routerService } from "./router-service.ts";

const annotation = (name: string) => `service.beta.kubernetes.io/azure-load-balancer-${name}`;

for (const [visibility, internal] of [
  ["Public", ""],
  ["Private", "true"],
] as const)
  test(`the router of a ${visibility} ingress gets the address in the DNS zone`, () => {
    const ingressProfiles = [{ name: "default", visibility, ip: "192.0.2.1" }];
    const [service] = routerService(withProperties(newCluster({ name: "demo" }), { ingressProfiles }));
    assert.deepEqual(service?.metadata.annotations, {
      [annotation("internal")]: internal,
      [annotation("ipv4")]: "192.0.2.1",
    });
  });

test("the ingress operator creates the Service of a router without a known address", () => {
  assert.deepEqual(routerService(newCluster({ name: "demo" })), []);
});
