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
import { dnsmasq } from "./controller.ts";
import { dnsmasqSpec } from "./plan.ts";

const { clusterVersions, machineConfigs, machineConfigPools } = resources;
const idle = { version: "4.19.24", state: "Completed" } as const;
const upgrading = { version: "4.20.1", state: "Partial" } as const;
const role = "machineconfiguration.openshift.io/role";

function files(spec: unknown): ReadonlyMap<string, { readonly text: string; readonly mode: unknown }> {
  return new Map(
    listAt(spec, "config", "storage", "files").map((file) => [
      stringAt(file, "path") ?? "",
      {
        text: String(decodeDataUrl(stringAt(file, "contents", "source") ?? "")),
        mode: (file as { readonly mode?: unknown }).mode,
      },
    ]),
  );
}

test("dnsmasq resolves the cluster's names and those behind the gateway", () => {
  const spec = {
    ...exampleSpec,
    gatewayDomains: ["one.example.com", "two.example.com"],
    gatewayPrivateEndpointIP: "10.0.0.9",
  };
  assert.equal(
    files(dnsmasqSpec(spec)).get("/etc/dnsmasq.conf")?.text,
    [
      "resolv-file=/etc/resolv.conf.dnsmasq",
      "dns-forward-max=10000",
      "address=/api.demo.eastus.example.com/10.0.0.4",
      "address=/api-int.demo.eastus.example.com/10.0.0.4",
      "address=/.apps.demo.eastus.example.com/203.0.113.10",
      "address=/one.example.com/10.0.0.9",
      "address=/two.example.com/10.0.0.9",
      "local=/api.demo.eastus.example.com/",
      "local=/api-int.demo.eastus.example.com/",
      "local=/.apps.demo.eastus.example.com/",
      "local=/one.example.com/",
      "local=/two.example.com/",
      "user=dnsmasq",
      "group=dnsmasq",
      "no-hosts",
      "cache-size=0",
      "",
    ].join("\n"),
  );
});

test("files and units are where nodes expect them", () => {
  const modes = (spec: unknown) => [...files(spec)].map(([path, { mode }]) => [path, mode]);
  const always = [
    ["/etc/dnsmasq.conf", 420],
    ["/usr/local/bin/aro-dnsmasq-pre.sh", 484],
  ];
  assert.deepEqual(modes(dnsmasqSpec(exampleSpec)), always);
  const restarting = { ...exampleSpec, operatorflags: { "aro.restartdnsmasq.enabled": "True" } };
  assert.deepEqual(modes(dnsmasqSpec(restarting)), [
    ...always,
    ["/etc/NetworkManager/dispatcher.d/99-dnsmasq-restart", 484],
  ]);
  for (const [path, { text }] of files(dnsmasqSpec(restarting)))
    assert.ok(path === "/etc/dnsmasq.conf" || text.startsWith("#!/bin/bash\n"), path);
  const [unit] = listAt(dnsmasqSpec(exampleSpec), "config", "systemd", "units");
  assert.equal(stringAt(unit, "name"), "dnsmasq.service");
  assert.match(
    stringAt(unit, "contents") ?? "",
    /^ExecStartPre=\/bin\/bash \/usr\/local\/bin\/aro-dnsmasq-pre\.sh$/m,
  );
});

for (const [change, message] of [
  [{ apiIntIP: "not-an-ip" }, 'invalid apiIntIP: ParseAddr("not-an-ip"): unable to parse IP'],
  [{ apiIntIP: "" }, 'invalid apiIntIP: ParseAddr(""): unable to parse IP'],
  [{ ingressIP: "10.0.0.1/24" }, 'invalid ingressIP: ParseAddr("10.0.0.1/24"): unable to parse IP'],
  [
    { gatewayDomains: ["a.example.com"], gatewayPrivateEndpointIP: "" },
    'invalid gatewayPrivateEndpointIP: ParseAddr(""): unable to parse IP',
  ],
  [{ domain: "" }, 'invalid domain: "" is not a domain name'],
  [
    { domain: "a/1.2.3.4\nserver=6.6.6.6" },
    'invalid domain: "a/1.2.3.4\\nserver=6.6.6.6" is not a domain name',
  ],
  [
    { gatewayDomains: ["a b"], gatewayPrivateEndpointIP: "10.0.0.9" },
    'invalid gatewayDomains: "a b" is not a domain name',
  ],
] as const)
  test(`nothing is written for ${JSON.stringify(change)}`, () =>
    assert.throws(() => dnsmasqSpec({ ...exampleSpec, ...change } as typeof exampleSpec), { message }));

test("an unused gateway address is not validated", () => {
  dnsmasqSpec({ ...exampleSpec, gatewayDomains: [], gatewayPrivateEndpointIP: "x" });
});

for (const { name, start } of testServers) {
  describe(`dnsmasq on ${name}`, () => {
    let cluster: TestCluster;
    let operator: TestOperator;
    const find = (pool: string) =>
      cluster.api.find(machineConfigs, { name: `99-${pool}-aro-dns` }, cluster.signal);
    const get = (pool: string) =>
      cluster.eventually(async () => (await find(pool)) ?? assert.fail("missing"));
    const edit = (pool: string, patch: Readonly<Record<string, unknown>>) =>
      cluster.api.mergePatch(machineConfigs, { name: `99-${pool}-aro-dns` }, patch, cluster.signal);
    const force = (value: string) =>
      cluster.configure({ operatorflags: { "aro.forcereconciliation": value } });
    const hasUnit = (config: KubeObject) => listAt(config, "spec", "config", "systemd", "units").length === 1;

    before(async () => {
      cluster = await start({ kinds: [clusterVersions, machineConfigs, machineConfigPools] });
      await putClusterHistory(cluster, idle);
      await putPool(cluster, "master");
      operator = await cluster.start({ controllers: [dnsmasq] });
    });
    after(() => cluster[Symbol.asyncDispose]());

    test("every pool has its MachineConfig, and the original's three controllers are well", async () => {
      assert.deepEqual((await get("master")).metadata.labels, { [role]: "master" });
      await cluster.eventually(async () => {
        for (const each of ["DnsmasqCluster", "DnsmasqMachineConfig", "DnsmasqMachineConfigPool"])
          assert.equal((await condition(cluster, `${each}ControllerDegraded`)).status, "False");
      });
      assert.equal((await condition(cluster, "DnsmasqControllerDegraded")).status, undefined);
    });

    test("acceptance 8: a new pool gets its MachineConfig on an idle cluster, and the pool's deletion removes it", async () => {
      const pool = await putPool(cluster, "custom");
      const { metadata } = await get("custom");
      assert.deepEqual(metadata.labels, { [role]: "custom" });
      assert.deepEqual(metadata.ownerReferences, [
        {
          apiVersion: "machineconfiguration.openshift.io/v1",
          kind: "MachineConfigPool",
          name: "custom",
          uid: pool.metadata.uid,
          controller: true,
          blockOwnerDeletion: true,
        },
      ]);
      await cluster.api.delete(machineConfigPools, { name: "custom" }, cluster.signal);
      // The kube-apiserver of the test runs without controllers, so it has no garbage collector.
      if (name !== "embedded")
        await cluster.api.delete(machineConfigs, { name: "99-custom-aro-dns" }, cluster.signal);
      await cluster.eventually(async () => assert.equal(await find("custom"), undefined));
      await operator.quiet();
      assert.equal(await find("custom"), undefined);
    });

    test("a pool that is being deleted is skipped", async () => {
      await putPool(cluster, "leaving", { finalizers: ["example.com/held"] });
      const before = (await get("leaving")).metadata.uid;
      await cluster.api.delete(machineConfigPools, { name: "leaving" }, cluster.signal);
      await cluster.api.delete(machineConfigs, { name: "99-leaving-aro-dns" }, cluster.signal);
      await operator.quiet();
      assert.equal(await find("leaving"), undefined, `${before} is not made again`);
      await cluster.api.mergePatch(
        machineConfigPools,
        { name: "leaving" },
        { metadata: { finalizers: null } },
        cluster.signal,
      );
    });

    test("on an idle cluster a deleted one returns, an owner is repaired, and nothing else", async () => {
      const { uid } = (await get("master")).metadata;
      await cluster.api.delete(machineConfigs, { name: "99-master-aro-dns" }, cluster.signal);
      await cluster.eventually(async () => assert.notEqual((await get("master")).metadata.uid, uid));
      const { spec } = await get("master");
      await edit("master", { metadata: { ownerReferences: null } });
      await cluster.eventually(async () =>
        assert.equal((await get("master")).metadata.ownerReferences?.[0]?.name, "master"),
      );
      assert.deepEqual((await get("master")).spec, spec);
      await edit("master", { metadata: { labels: { [role]: null } } });
      await operator.quiet();
      assert.equal((await get("master")).metadata.labels?.[role], undefined);
    });

    test("acceptance 9: an edited one is repaired only when forced", async () => {
      await putPool(cluster, "worker");
      await get("worker");
      await edit("worker", { spec: { config: { systemd: { units: [] } } } });
      await operator.quiet();
      assert.equal(hasUnit(await get("worker")), false);
      await force("true");
      await cluster.eventually(async () => assert.ok(hasUnit(await get("worker"))));
      await cluster.eventually(async () =>
        assert.equal((await get("master")).metadata.labels?.[role], "master"),
      );
    });

    test("added labels, kernel arguments and extensions are removed only when forced", async () => {
      await force("false");
      const { spec } = await get("worker");
      const added = {
        kernelArguments: ["quiet"],
        kernelType: "realtime",
        extensions: ["usbguard"],
        fips: true,
      };
      await edit("worker", { metadata: { labels: { team: "a" } }, spec: added });
      await operator.quiet();
      const edited = await get("worker");
      assert.deepEqual(edited.spec, { ...Object(spec), ...added });
      await force("true");
      await cluster.eventually(async () => {
        const { metadata, spec: restored } = await get("worker");
        assert.deepEqual(metadata.labels, { [role]: "worker" });
        assert.deepEqual(restored, spec);
      });
    });

    test("while it is forced, each one is repaired", async () => {
      await provesRepair(cluster, operator, {
        resource: machineConfigs,
        key: { name: "99-worker-aro-dns" },
        edit: { spec: { config: { storage: { files: [] } } } },
      });
      await force("false");
    });

    test("acceptance 10: nodes that apply a configuration are not an upgrade, an incomplete history is one", async () => {
      const time = "2026-01-01T00:00:00Z";
      const progressing = { type: "Progressing", status: "True", lastTransitionTime: time };
      await cluster.api.mergePatch(
        clusterVersions,
        { name: "version" },
        { status: { conditions: [progressing] } },
        cluster.signal,
        "status",
      );
      await edit("worker", { spec: { config: { systemd: { units: [] } } } });
      await operator.quiet();
      assert.equal(hasUnit(await get("worker")), false);
      await putClusterHistory(cluster, upgrading, idle);
      await cluster.eventually(async () => assert.ok(hasUnit(await get("worker"))));
      await putClusterHistory(cluster, { ...upgrading, state: "Completed" }, idle);
    });

    test("a MachineConfig in the original's format is not rewritten, even if nodes may reboot", async () => {
      const { spec } = await get("worker");
      const taken = structuredClone(spec) as Record<string, Record<string, Record<string, unknown>>>;
      Object.assign(taken.config ?? {}, { passwd: {} });
      Object.assign(taken.config?.ignition ?? {}, { proxy: {}, timeouts: {}, security: { tls: {} } });
      const [unit] = listAt(taken, "config", "systemd", "units");
      const contents = `\n${stringAt(unit, "contents")}`;
      Object.assign(taken.config?.systemd ?? {}, { units: [{ ...Object(unit), contents }] });
      await edit("worker", { spec: taken });
      await operator.quiet();
      const { resourceVersion } = (await get("worker")).metadata;
      await force("true");
      await operator.quiet();
      assert.equal((await get("worker")).metadata.resourceVersion, resourceVersion);
      await force("false");
    });

    test("acceptance 11: an invalid address is Degraded and prevents writing a MachineConfig", async () => {
      await cluster.configure({ apiIntIP: "not-an-ip" });
      await cluster.eventually(async () =>
        assert.deepEqual(await condition(cluster, "DnsmasqClusterControllerDegraded"), {
          status: "True",
          reason: "ReconcileFailed",
          message: 'invalid apiIntIP: ParseAddr("not-an-ip"): unable to parse IP',
        }),
      );
      await cluster.api.delete(machineConfigs, { name: "99-worker-aro-dns" }, cluster.signal);
      await operator.quiet();
      assert.equal(await find("worker"), undefined);
      await cluster.configure({ apiIntIP: "10.0.0.4" });
      await get("worker");
      await cluster.eventually(async () =>
        assert.equal((await condition(cluster, "DnsmasqClusterControllerDegraded")).status, "False"),
      );
    });

    test("without a ClusterVersion it is Degraded and writes nothing", async () => {
      await cluster.api.delete(clusterVersions, { name: "version" }, cluster.signal);
      await cluster.eventually(async () =>
        assert.match(
          (await condition(cluster, "DnsmasqClusterControllerDegraded")).message,
          /^error getting the ClusterVersion: .*not found$/,
        ),
      );
    });

    test("forced, it needs no ClusterVersion", async () => {
      await edit("worker", { spec: { config: { systemd: { units: [] } } } });
      await force("true");
      await cluster.eventually(async () => assert.ok(hasUnit(await get("worker"))));
    });

    test("a pool with a name too long for its MachineConfig does not block other pools", async () => {
      await putPool(cluster, "a".repeat(250));
      await putPool(cluster, "zone");
      await get("zone");
      await cluster.eventually(async () =>
        assert.match(
          (await condition(cluster, "DnsmasqMachineConfigPoolControllerDegraded")).message,
          /is invalid/,
        ),
      );
    });
  });
}
