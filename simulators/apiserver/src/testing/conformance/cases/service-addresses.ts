import assert from "node:assert/strict";
import { scalarStringAt } from "@keelson/apimachinery";
import { listAt, objectAt, valueAt } from "@keelson/base";
import type { Api } from "../api.ts";
import { absent, all, type ConformanceCase, exchange, matches } from "../case.ts";
import { refusal } from "../refusal.ts";
import { apply, mergePatch, post, put, remove } from "../requests.ts";
import { service, services } from "./services.ts";

type Fields = Readonly<Record<string, unknown>>;

const ports = [{ port: 80 }];
const nodePort = (port: number, more: Fields = {}) => ({
  type: "NodePort",
  ports: [{ port: 80, nodePort: port, ...more }],
});
const created = (spec: Fields) => ({ when: post(services, service("s", spec)), status: 201 });
const s = `${services}/s`;
const patched = async (api: Api, change: Fields) =>
  objectAt(await all(api, [mergePatch(s, { spec: change })]), "spec");
const isNodePort = (port: unknown) => typeof port === "number" && port >= 30_000 && port <= 32_767;

/** Conformance cases for the allocation and release of Service addresses and ports. */
export const serviceAddressCases: readonly ConformanceCase[] = [
  exchange({
    name: "a headless service without selector has both families",
    ...created({ clusterIP: "None" }),
    body: {
      spec: { clusterIPs: ["None"], ipFamilies: ["IPv4", "IPv6"], ipFamilyPolicy: "RequireDualStack" },
    },
  }),
  exchange({
    name: "the default timeout of client affinity is three hours",
    ...created({ ports, sessionAffinity: "ClientIP" }),
    body: { spec: { sessionAffinityConfig: { clientIP: { timeoutSeconds: 10_800 } } } },
  }),
  exchange({
    name: "ports with an equal number share a node port",
    ...created({
      type: "NodePort",
      ports: [
        { name: "a", port: 80 },
        { name: "b", port: 80, protocol: "UDP", nodePort: 30_011 },
      ],
    }),
    body: { spec: { externalTrafficPolicy: "Cluster", ports: [{ nodePort: 30_011 }, { nodePort: 30_011 }] } },
  }),
  {
    name: "a load balancer has node ports, and a health check port for local traffic",
    async run(api) {
      const spec = { type: "LoadBalancer", externalTrafficPolicy: "Local", ports };
      const made = objectAt(await all(api, [post(services, service("s", spec))]), "spec");
      assert.equal(made.allocateLoadBalancerNodePorts, true);
      assert.ok(isNodePort(made.healthCheckNodePort), String(made.healthCheckNodePort));
      assert.ok(isNodePort(valueAt(listAt(made, "ports")[0], "nodePort")));
      const without = { type: "LoadBalancer", allocateLoadBalancerNodePorts: false, ports };
      const bare = await all(api, [post(services, service("bare", without))]);
      assert.equal(valueAt(listAt(bare, "spec", "ports")[0], "nodePort"), undefined);
    },
  },
  {
    name: "an address and a node port belong to one service until it is deleted",
    async run(api) {
      const first = { ...nodePort(30_012), clusterIP: "172.30.9.12" };
      await all(api, [post(services, service("s", first))]);
      const taken = "Invalid value: 30012: provided port is already allocated";
      for (const [spec, why] of [
        [
          { ports, clusterIP: "172.30.9.12" },
          'spec.clusterIPs: Invalid value: ["172.30.9.12"]: failed to allocate IP 172.30.9.12: provided IP is already allocated',
        ],
        [
          { ports, clusterIP: "10.9.8.7" },
          'spec.clusterIPs: Invalid value: ["10.9.8.7"]: failed to allocate IP 10.9.8.7: the provided network does not match the current range',
        ],
        [
          { ports, clusterIP: "172.30.255.255" },
          'spec.clusterIPs: Invalid value: ["172.30.255.255"]: failed to allocate IP 172.30.255.255: the provided network does not match the current range',
        ],
        [nodePort(30_012), `spec.ports[0].nodePort: ${taken}`],
        [nodePort(30_012, { protocol: "UDP" }), `spec.ports[0].nodePort: ${taken}`],
        [
          nodePort(29_999),
          "spec.ports[0].nodePort: Invalid value: 29999: provided port is not in the valid range. The range of valid ports is 30000-32767",
        ],
        [
          { type: "LoadBalancer", externalTrafficPolicy: "Local", ports, healthCheckNodePort: 30_012 },
          "failed to allocate requested HealthCheck NodePort 30012: provided port is already allocated",
        ],
      ] as const) {
        assert.deepEqual(await refusal(api, post(services, service("t", spec))), [why]);
      }
      await all(api, [remove(s), post(services, service("t", first))]);
    },
  },
  {
    name: "a dry run allocates nothing",
    async run(api) {
      const spec = { ...nodePort(30_013), clusterIP: "172.30.9.13" };
      const dry = `${services}?dryRun=All`;
      const shown = await all(api, [post(dry, service("s", spec)), post(dry, service("s", { ports }))]);
      assert.match(scalarStringAt(shown, "spec", "clusterIP"), /^172\.30\./);
      await all(api, [post(services, service("s", spec))]);
    },
  },
  {
    name: "an update keeps omitted addresses and ports",
    async run(api) {
      const spec = { ...nodePort(30_014), clusterIP: "172.30.9.14" };
      const kept = { clusterIP: "172.30.9.14", clusterIPs: ["172.30.9.14"], ports: [{ nodePort: 30_014 }] };
      await all(api, [post(services, service("s", spec))]);
      const replaced = await all(api, [put(s, service("s", { type: "NodePort", ports: [{ port: 8080 }] }))]);
      matches(objectAt(replaced, "spec"), { ...kept, ports: [{ port: 8080, nodePort: 30_014 }] });
      matches(await patched(api, { clusterIP: null, clusterIPs: null }), kept);
      const applied = apply(
        `${s}?fieldManager=a&force=true`,
        service("s", { ports: [{ name: "", port: 8080 }] }),
      );
      matches(objectAt(await all(api, [applied]), "spec"), kept);
      const renamed = await all(api, [
        put(s, service("s", { type: "NodePort", ports: [{ name: "other", port: 8080 }] })),
      ]);
      const [port] = listAt(renamed, "spec", "ports");
      assert.ok(isNodePort(valueAt(port, "nodePort")) && valueAt(port, "nodePort") !== 30_014);
    },
  },
  {
    name: "address, class and health check port are immutable",
    async run(api) {
      const spec = {
        type: "LoadBalancer",
        externalTrafficPolicy: "Local",
        ports,
        clusterIP: "172.30.9.15",
        loadBalancerClass: "a/b",
        healthCheckNodePort: 30_015,
      };
      await all(api, [post(services, service("s", spec))]);
      for (const [change, why] of [
        [
          { clusterIP: "172.30.9.16" },
          'spec.clusterIPs[0]: Invalid value: ["172.30.9.16"]: may not change once set',
        ],
        [
          { clusterIPs: ["172.30.9.16"] },
          'spec.clusterIPs: Invalid value: ["172.30.9.16"]: first value must match `clusterIP`',
        ],
        [
          { ipFamilies: ["IPv6"] },
          'spec.clusterIPs[0]: Invalid value: "172.30.9.15": expected an IPv6 value as indicated by `ipFamilies[0]`',
        ],
        [{ healthCheckNodePort: 30_016 }, "spec.healthCheckNodePort: Forbidden: field is immutable"],
        [
          { loadBalancerClass: "c/d" },
          'spec.loadBalancerClass: Invalid value: "c/d": may not change once set',
        ],
        [{ loadBalancerClass: null }, "spec.loadBalancerClass: Invalid value: null: may not change once set"],
      ] as const) {
        assert.deepEqual(await refusal(api, mergePatch(s, { spec: change })), [why]);
      }
    },
  },
  {
    name: "a service of a new type loses fields that the type does not use",
    async run(api) {
      await all(api, [post(services, service("s", { ports, clusterIP: "172.30.9.17" }))]);
      const balanced = await patched(api, {
        type: "LoadBalancer",
        externalTrafficPolicy: "Local",
        loadBalancerClass: "a/b",
        ports: [{ port: 80, nodePort: 30_017 }],
      });
      matches(balanced, { clusterIP: "172.30.9.17", ports: [{ nodePort: 30_017 }] });
      assert.ok(isNodePort(balanced.healthCheckNodePort));
      const ingress = [{ ip: "192.0.2.1" }];
      const status = await all(api, [mergePatch(`${s}/status`, { status: { loadBalancer: { ingress } } })]);
      matches(objectAt(status, "status"), {
        loadBalancer: { ingress: [{ ip: "192.0.2.1", ipMode: "VIP" }] },
      });
      const plain = await all(api, [mergePatch(s, { spec: { type: "ClusterIP" } })]);
      matches(plain, {
        spec: {
          clusterIP: "172.30.9.17",
          ports: [{ port: 80, nodePort: absent }],
          externalTrafficPolicy: absent,
          healthCheckNodePort: absent,
          allocateLoadBalancerNodePorts: absent,
          loadBalancerClass: absent,
        },
        status: { loadBalancer: { ingress: absent } },
      });
      matches(await patched(api, { type: "ExternalName", externalName: "example.com" }), {
        clusterIP: absent,
        clusterIPs: absent,
        ipFamilies: absent,
        ipFamilyPolicy: absent,
        internalTrafficPolicy: absent,
      });
      const others = service("others", { ...nodePort(30_017), clusterIP: "172.30.9.17" });
      await all(api, [post(services, others)]);
      const again = await patched(api, { type: "ClusterIP", externalName: null });
      assert.match(scalarStringAt(again, "clusterIP"), /^172\.30\.(?!9\.17$)/);
    },
  },
  {
    name: "only load balancers may have ingress points, which are validated",
    async run(api) {
      const status = (ingress: readonly unknown[], name = "s") =>
        mergePatch(`${services}/${name}/status`, { status: { loadBalancer: { ingress } } });
      const at = "status.loadBalancer.ingress";
      await all(api, [
        post(services, service("plain", { ports })),
        post(services, service("s", { ports, type: "LoadBalancer" })),
      ]);
      const onlyBalanced = `${at}: Forbidden: may only be used when \`spec.type\` is 'LoadBalancer'`;
      assert.deepEqual(await refusal(api, status([{ ip: "192.0.2.1" }], "plain")), [onlyBalanced]);
      const wrongs = [
        { ip: "010.1.1.1" },
        { ip: "192.0.2.1", ipMode: "Foo" },
        { hostname: "a.b", ipMode: "VIP" },
        { hostname: "192.0.2.1" },
      ];
      assert.deepEqual(await refusal(api, status(wrongs)), [
        `${at}[0].ip: Invalid value: "010.1.1.1": must not have leading 0s`,
        `${at}[1].ipMode: Unsupported value: "Foo": supported values: "Proxy", "VIP"`,
        `${at}[2].ipMode: Forbidden: may not be specified when \`ip\` is not set`,
        `${at}[3].hostname: Invalid value: "192.0.2.1": must be a DNS name, not an IP address`,
      ]);
    },
  },
];
