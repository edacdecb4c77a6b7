import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubeObject } from "@keelson/apiserver";
import { chooseAddress, wantsLoadBalancer } from "./addresses.ts";

interface Parts {
  readonly annotations?: Readonly<Record<string, string>>;
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly ip?: string;
  readonly deletionTimestamp?: string;
}

function service({ annotations = {}, spec = {}, ip, deletionTimestamp }: Parts): KubeObject {
  const ingress = ip === undefined ? [] : [{ ip }];
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: "web", annotations, ...(deletionTimestamp === undefined ? {} : { deletionTimestamp }) },
    spec: { type: "LoadBalancer", ...spec },
    status: { loadBalancer: { ingress } },
  };
}

const internal = { "service.beta.kubernetes.io/azure-load-balancer-internal": "true" };

const rows: readonly {
  readonly name: string;
  readonly of: Parts;
  readonly taken?: readonly string[];
  readonly expected: string | undefined;
}[] = [
  { name: "the first free one", of: {}, taken: ["198.18.0.10"], expected: "198.18.0.11" },
  { name: "the one that it has", of: { ip: "198.18.3.4" }, expected: "198.18.3.4" },
  { name: "an internal one on demand", of: { annotations: internal }, expected: "10.255.0.10" },
  {
    name: "a different one when it becomes internal",
    of: { annotations: internal, ip: "198.18.0.10" },
    expected: "10.255.0.10",
  },
  { name: "the one in its specification", of: { spec: { loadBalancerIP: "1.2.3.4" } }, expected: "1.2.3.4" },
  {
    name: "the one in its annotation",
    of: {
      annotations: { "service.beta.kubernetes.io/azure-load-balancer-ipv4": "1.2.3.5" },
      spec: { loadBalancerIP: "1.2.3.4" },
    },
    expected: "1.2.3.5",
  },
  {
    name: "no address while a different Service has the requested one",
    of: { spec: { loadBalancerIP: "1.2.3.4" } },
    taken: ["1.2.3.4"],
    expected: undefined,
  },
];

for (const { name, of, taken = [], expected } of rows)
  test(`a Service gets ${name}`, () => assert.equal(chooseAddress(service(of), new Set(taken)), expected));

test("load balancers serve Services that request them, and not those of other controllers", () => {
  assert.ok(wantsLoadBalancer(service({})));
  assert.ok(!wantsLoadBalancer(service({ spec: { type: "NodePort" } })));
  assert.ok(!wantsLoadBalancer(service({ spec: { loadBalancerClass: "example.com/own" } })));
  assert.ok(!wantsLoadBalancer(service({ deletionTimestamp: "2026-01-01T00:00:00Z" })));
});
