import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { listAt, stringAt } from "@keelson/base";
import { type KubeObject, resources } from "@keelson/kube";
import { decodeDataUrl } from "../../machine-configs/data-url.ts";
import {
  condition,
  exampleSpec,
  provesRepair,
  putClusterHistory,
  putPool,
  type TestCluster,
  type TestOperator,
  testServers,
} from "../../testing/index.ts";
import { etcHosts } from "./controller.ts";
import { etcHostsSpec } from "./plan.ts";

const { clusterVersions, machineConfigs, machineConfigPools } = resources;
const idle = { version: "4.19.24", state: "Completed" } as const;
const nameOf = (pool: string) => `99-${pool}-aro-etc-hosts-gateway-domains`;

function fileOf(spec: unknown, path: string): string | undefined {
  const file = listAt(spec, "config", "storage", "files").find((each) => stringAt(each, "path") === path);
  return decodeDataUrl(stringAt(file, "contents", "source") ?? "")?.toString();
}

for (const [name, gateway, line] of [
  [
    "a gateway",
    { gatewayDomains: ["a.io", "b.io"], gatewayPrivateEndpointIP: "10.0.0.9" },
    "10.0.0.9\ta.io b.io",
  ],
  ["no gateway", {}, "\t"],
  ["an address without domains", { gatewayPrivateEndpointIP: "10.0.0.9" }, "10.0.0.9\t"],
] as const)
  test(`aro.conf has two lines with ${name}`, () => {
    const spec = etcHostsSpec({ ...exampleSpec, ...gateway } as typeof exampleSpec);
    assert.equal(
      fileOf(spec, "/etc/hosts.d/aro.conf"),
      `10.0.0.4\tapi.demo.eastus.example.com api-int.demo.eastus.example.com\n${line}\n`,
    );
  });

test("nodes run the script once before they are online", () => {
  const [unit] = listAt(etcHostsSpec(exampleSpec), "config", "systemd", "units");
  assert.equal(stringAt(unit, "name"), "aro-etchosts-resolver.service");
  assert.match(stringAt(unit, "contents") ?? "", /^Before=network-online\.target$/m);
  assert.match(stringAt(unit, "contents") ?? "", /^Type=oneshot$/m);
});

test("an invalid address is rejected", () => {
  assert.throws(
    () => etcHostsSpec({ ...exampleSpec, apiIntIP: "x\n127.0.0.1 a" }),
    /^Error: invalid apiIntIP: /,
  );
});

for (const { name, start } of testServers) {
  describe(`etchosts on ${name}`, () => {
    let cluster: TestCluster;
    let operator: TestOperator;
    const find = (pool: string) => cluster.api.find(machineConfigs, { name: nameOf(pool) }, cluster.signal);
    const get = (pool: string) =>
      cluster.eventually(async () => (await find(pool)) ?? assert.fail("missing"));
    const remove = (pool: string) =>
      cluster.api.delete(machineConfigs, { name: nameOf(pool) }, cluster.signal);
    const flags = (operatorflags: Readonly<Record<string, string>>) => cluster.configure({ operatorflags });
    const force = (value: string) => flags({ "aro.forcereconciliation": value });
    const hasUnit = (config: KubeObject) => listAt(config, "spec", "config", "systemd", "units").length === 1;

    before(async () => {
      cluster = await start({ kinds: [clusterVersions, machineConfigs, machineConfigPools] });
      await putClusterHistory(cluster, idle);
      await putPool(cluster, "master");
      await putPool(cluster, "worker");
      operator = await cluster.start({ controllers: [etcHosts] });
    });
    after(() => cluster[Symbol.asyncDispose]());

    test("nothing is created on an idle cluster, and the controller is well", async () => {
      await cluster.eventually(async () => {
        for (const each of ["EtcHostsCluster", "EtcHostsMachineConfig"])
          assert.equal((await condition(cluster, `${each}ControllerDegraded`)).status, "False");
      });
      await operator.quiet();
      assert.equal(await find("master"), undefined);
    });

    test("an upgrade creates one in every pool, owned by it", async () => {
      await putClusterHistory(cluster, { version: "4.20.1", state: "Partial" }, idle);
      for (const pool of ["master", "worker"]) {
        const { metadata } = await get(pool);
        assert.deepEqual(metadata.labels, { "machineconfiguration.openshift.io/role": pool });
        assert.deepEqual(
          metadata.ownerReferences?.map(({ kind, name, controller }) => [kind, name, controller]),
          [["MachineConfigPool", pool, true]],
        );
      }
      await putClusterHistory(cluster, { version: "4.20.1", state: "Completed" }, idle);
      await operator.quiet();
    });

    test("acceptance 12: a deleted one is restored only when forced", async () => {
      await remove("worker");
      await cluster.api.mergePatch(
        machineConfigs,
        { name: nameOf("master") },
        { spec: { config: { systemd: { units: [] } } } },
        cluster.signal,
      );
      await operator.quiet();
      assert.equal(await find("worker"), undefined);
      assert.equal(hasUnit(await get("master")), false);
      await force("true");
      await get("worker");
      await cluster.eventually(async () => assert.ok(hasUnit(await get("master"))));
    });

    test("while it is forced, each one is repaired", async () => {
      await provesRepair(cluster, operator, {
        resource: machineConfigs,
        key: { name: nameOf("worker") },
        edit: { spec: { config: { storage: { files: [] } } } },
      });
      await force("false");
    });

    test("acceptance 12: unmanaged, all are deleted only when forced", async () => {
      await flags({ "aro.etchosts.managed": "false" });
      await operator.quiet();
      assert.ok(await find("worker"));
      await force("true");
      await cluster.eventually(async () => {
        assert.equal(await find("worker"), undefined);
        assert.equal(await find("master"), undefined);
      });
    });

    test("with its flag off, nothing is done", async () => {
      await flags({ "aro.etchosts.enabled": "false", "aro.etchosts.managed": "true" });
      await operator.quiet();
      assert.equal(await find("worker"), undefined);
    });
  });
}
