import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { listAt, stringAt, valueAt } from "@keelson/base";
import { resources } from "@keelson/kube";
import { decodeDataUrl } from "../../machine-configs/data-url.ts";
import type { ReleaseVersion } from "../../runtime/cluster-version.ts";
import {
  condition,
  provesRepair,
  putClusterHistory,
  putPool,
  type TestCluster,
  type TestOperator,
  testServers,
} from "../../testing/index.ts";
import { workaround } from "./controller.ts";
import { isIpsecOn } from "./dirty-frag.ts";
import { isVulnerable } from "./mitigation.ts";

const { clusterVersions, kubeletConfigs, machineConfigs, machineConfigPools, operatorNetworks } = resources;
const copyFail = { name: "99-master-disable-algif-aead" };
const dirtyFrag = { name: "99-master-disable-dirtyfrag" };
const limits = { name: "aro-limits" };
const worker = { name: "worker" };

const fixed: readonly ReleaseVersion[] = [
  [4, 21, 14],
  [4, 19, 30],
];
for (const [version, vulnerable] of [
  [[4, 21, 13], true],
  [[4, 21, 14], false],
  [[4, 19, 24], true],
  [[4, 19, 31], false],
  [[4, 20, 99], true],
  [[4, 22, 0], false],
  [[5, 0, 0], false],
  [[4, 9, 99], true],
] as const)
  test(`${version.join(".")} is ${vulnerable ? "" : "not "}vulnerable`, () =>
    assert.equal(isVulnerable(version, fixed), vulnerable));

for (const [ipsecConfig, on] of [
  [undefined, false],
  [{ mode: "Disabled" }, false],
  [{ mode: "Full" }, true],
  [{ mode: "External" }, true],
  [{}, true],
  [{ mode: 4 }, false],
  ["Full", false],
] as const)
  test(`IPsec is ${on ? "on" : "off"} with ${JSON.stringify(ipsecConfig)}`, () =>
    assert.equal(isIpsecOn({ spec: { defaultNetwork: { ovnKubernetesConfig: { ipsecConfig } } } }), on));

for (const { name, start } of testServers) {
  describe(`workarounds on ${name}`, () => {
    let cluster: TestCluster;
    let operator: TestOperator;
    const find = (key: { readonly name: string }) => cluster.api.find(machineConfigs, key, cluster.signal);
    const present = (key: { readonly name: string }) =>
      cluster.eventually(async () => (await find(key)) ?? assert.fail(`${key.name} is missing`));
    const absent = (key: { readonly name: string }) =>
      cluster.eventually(async () => assert.equal(await find(key), undefined));
    const flags = (operatorflags: Readonly<Record<string, string>>) => cluster.configure({ operatorflags });
    const ipsec = (mode: string) =>
      cluster.put(operatorNetworks, {
        metadata: { name: "cluster" },
        spec: { defaultNetwork: { type: "OVNKubernetes", ovnKubernetesConfig: { ipsecConfig: { mode } } } },
      });
    const idle = (version: string) => putClusterHistory(cluster, { version, state: "Completed" });

    before(async () => {
      cluster = await start({
        kinds: [clusterVersions, kubeletConfigs, machineConfigs, machineConfigPools, operatorNetworks],
      });
      await putPool(cluster, "master");
      await putPool(cluster, "worker");
      await idle("4.21.14");
      operator = await cluster.start({ controllers: [workaround] });
    });
    after(() => cluster[Symbol.asyncDispose]());

    test("acceptance 29: 4.21.14 does not need the one for copy fail", async () => {
      await present(dirtyFrag);
      await operator.quiet();
      assert.equal(await find(copyFail), undefined);
    });

    test("acceptance 29: 4.21.13 has it for control plane nodes only", async () => {
      await idle("4.21.13");
      const { metadata, spec } = await present(copyFail);
      assert.deepEqual(valueAt(spec, "kernelArguments"), ["initcall_blacklist=algif_aead_init"]);
      assert.deepEqual(metadata.labels, { "machineconfiguration.openshift.io/role": "master" });
      assert.equal(metadata.ownerReferences, undefined);
      const { items } = await cluster.api.list(machineConfigs, {}, cluster.signal);
      assert.deepEqual(items.map((each) => each.metadata.name).toSorted(), [copyFail.name, dirtyFrag.name]);
    });

    test("the one for dirtyfrag prevents three modules from loading", async () => {
      const { spec } = await present(dirtyFrag);
      const [file, ...others] = listAt(spec, "config", "storage", "files");
      assert.deepEqual(others, []);
      assert.equal(stringAt(file, "path"), "/etc/modprobe.d/aro-dirtyfrag-mitigation-controlplane.conf");
      assert.equal(valueAt(file, "mode"), 420);
      assert.equal(
        decodeDataUrl(stringAt(file, "contents", "source") ?? "")?.toString(),
        "install esp4 /bin/false\ninstall esp6 /bin/false\ninstall rxrpc /bin/false\n",
      );
    });

    test("a deleted one is restored immediately, an edited one when nodes may reboot", async () => {
      await cluster.api.delete(machineConfigs, dirtyFrag, cluster.signal);
      await present(dirtyFrag);
      await cluster.api.mergePatch(
        machineConfigs,
        copyFail,
        { spec: { kernelArguments: [] } },
        cluster.signal,
      );
      await operator.quiet();
      assert.deepEqual(valueAt(await find(copyFail), "spec", "kernelArguments"), []);
      await flags({ "aro.forcereconciliation": "true" });
      await cluster.eventually(async () =>
        assert.equal(listAt(await find(copyFail), "spec", "kernelArguments").length, 1),
      );
      await provesRepair(cluster, operator, {
        resource: machineConfigs,
        key: copyFail,
        edit: { spec: { kernelArguments: ["quiet"] } },
      });
      const { spec } = await present(dirtyFrag);
      const emptied = { spec: { config: { storage: { files: [] } } } };
      await cluster.api.mergePatch(machineConfigs, dirtyFrag, emptied, cluster.signal);
      await cluster.eventually(async () => assert.deepEqual((await find(dirtyFrag))?.spec, spec));
      await flags({ "aro.forcereconciliation": "false" });
    });

    test("acceptance 29: switched off it is removed", async () => {
      await flags({ "aro.workaround.copyfail.enabled": "false" });
      await absent(copyFail);
      await flags({ "aro.workaround.copyfail.enabled": "true" });
      await present(copyFail);
    });

    test("IPsec of the pod network has the modules that it needs", async () => {
      await ipsec("Full");
      await absent(dirtyFrag);
      await ipsec("Disabled");
      await present(dirtyFrag);
    });

    test("a release that needs it no more has it until nodes may reboot", async () => {
      await idle("4.21.15");
      await operator.quiet();
      assert.ok((await find(copyFail)) && (await find(dirtyFrag)));
      const completed = { version: "4.21.15", state: "Completed" } as const;
      await putClusterHistory(cluster, { version: "4.21.16", state: "Partial" }, completed);
      await absent(copyFail);
      await absent(dirtyFrag);
      await idle("4.21.13");
      await present(copyFail);
    });

    test("nodes without auto-sizing reserve memory for the system when they may reboot", async () => {
      await flags({ "aro.autosizednodes.enabled": "false" });
      await operator.quiet();
      assert.equal(await cluster.api.find(kubeletConfigs, limits, cluster.signal), undefined);
      await flags({ "aro.forcereconciliation": "true" });
      const found = await cluster.eventually(() => cluster.api.get(kubeletConfigs, limits, cluster.signal));
      const labels = { "aro.openshift.io/limits": "" };
      assert.deepEqual(found.metadata.labels, labels);
      assert.deepEqual(found.spec, {
        machineConfigPoolSelector: { matchLabels: labels },
        kubeletConfig: {
          systemReserved: { memory: "2000Mi" },
          evictionHard: {
            "memory.available": "500Mi",
            "nodefs.available": "10%",
            "nodefs.inodesFree": "5%",
            "imagefs.available": "15%",
          },
        },
      });
      await provesRepair(cluster, operator, {
        resource: kubeletConfigs,
        key: limits,
        edit: { spec: { kubeletConfig: { systemReserved: { memory: "1Mi" } } } },
      });
      await provesRepair(cluster, operator, {
        resource: machineConfigPools,
        key: worker,
        edit: { metadata: { labels: { "aro.openshift.io/limits": null } } },
        recreated: false,
      });
    });

    test("enabling auto-sizing removes both, even a label of a different writer", async () => {
      await cluster.api.mergePatch(
        machineConfigPools,
        worker,
        { metadata: { labels: { "aro.openshift.io/limits": "1" } } },
        cluster.signal,
      );
      await operator.quiet();
      await flags({ "aro.autosizednodes.enabled": "true" });
      await cluster.eventually(async () => {
        assert.equal(await cluster.api.find(kubeletConfigs, limits, cluster.signal), undefined);
        const pool = await cluster.api.get(machineConfigPools, worker, cluster.signal);
        assert.equal(pool.metadata.labels?.["aro.openshift.io/limits"], undefined);
      });
      await operator.quiet();
    });

    test("one with an unknown state does not block the creation of others", async () => {
      await cluster.api.delete(machineConfigPools, worker, cluster.signal);
      await flags({ "aro.workaround.copyfail.enabled": "false" });
      await absent(copyFail);
      await cluster.eventually(async () =>
        assert.deepEqual(await condition(cluster, "WorkaroundControllerDegraded"), {
          status: "True",
          reason: "ReconcileFailed",
          message:
            'workaround SystemReserved fix for bz-1857446 failed checking requirement: machineconfigpools.machineconfiguration.openshift.io "worker" not found',
        }),
      );
      assert.equal(await cluster.api.find(machineConfigPools, worker, cluster.signal), undefined);
      await putPool(cluster, "worker");
    });

    test("with the flag of all off, nothing is done", async () => {
      await flags({ "aro.workaround.enabled": "false", "aro.workaround.dirtyfrag.enabled": "false" });
      await operator.quiet();
      assert.ok(await find(dirtyFrag));
    });
  });
}
