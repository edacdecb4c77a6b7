import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { resources } from "@keelson/kube";
import { condition, type TestCluster, testServers } from "../../testing/index.ts";
import { clusterDnsChecker } from "./controller.ts";
import { judgeDns } from "./judge-dns.ts";

const { operatorDnses } = resources;
const type = "DefaultClusterDNS";
const server = (zones: readonly unknown[], upstreams: readonly unknown[]) => ({
  zones,
  forwardPlugin: { upstreams },
});
const cases = [
  { name: "no specification", dns: {}, is: { isGood: true, message: "no in-cluster upstream DNS servers" } },
  {
    name: "upstreams of several servers",
    dns: { spec: { servers: [server(["a"], ["1.1.1.1", "2.2.2.2"]), server(["b"], ["3.3.3.3"])] } },
    is: { isGood: true, message: "custom upstream DNS servers in use: 1.1.1.1, 2.2.2.2, 3.3.3.3" },
  },
  {
    name: "a server for every zone",
    dns: { spec: { servers: [server(["a"], ["1.1.1.1"]), server(["b", "."], [])] } },
    is: { isGood: false, message: 'malformed config: "." in zones' },
  },
  {
    name: "what is of no such type",
    dns: { spec: { servers: [null, 1, server([3], [4])] } },
    is: { isGood: true, message: "no in-cluster upstream DNS servers" },
  },
];
for (const { name, dns, is } of cases)
  test(`DNS with ${name}`, () => {
    assert.deepEqual(judgeDns(dns), is);
  });

test("a message names no more upstreams than fit", () => {
  const { message } = judgeDns({ spec: { servers: [server(["a"], Array(10_000).fill("192.0.2.1"))] } });
  assert.match(message, /, and 9950 more$/);
});

for (const { name, start } of testServers) {
  describe(`the check of DNS on ${name}`, () => {
    let cluster: TestCluster;
    const says = (status: string, reason: string, message: string) =>
      cluster.eventually(async () =>
        assert.deepEqual(await condition(cluster, type), { status, reason, message }),
      );
    before(async () => {
      cluster = await start({ kinds: [operatorDnses] });
      await cluster.start({ controllers: [clusterDnsChecker] });
    });
    after(() => cluster[Symbol.asyncDispose]());

    test("the condition is False without a DNS and follows its servers", async () => {
      await says("False", "CheckFailed", 'dnses.operator.openshift.io "default" not found');
      await cluster.put(operatorDnses, { metadata: { name: "default" }, spec: {} });
      await says("True", "CheckDone", "no in-cluster upstream DNS servers");
      const servers = [{ name: "all", ...server(["."], ["192.0.2.1"]) }];
      await cluster.put(operatorDnses, { metadata: { name: "default" }, spec: { servers } });
      await says("False", "CheckFailed", 'malformed config: "." in zones');
    });

    test("acceptance 3: is Unknown while checks are off", async () => {
      await cluster.configure({ operatorflags: { "aro.checker.enabled": "false" } });
      await says("Unknown", "", "");
    });
  });
}
