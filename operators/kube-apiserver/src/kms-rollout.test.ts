import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { listAt, stringAt, valueAt } from "@keelson/base";
import { conditionStatus, type KubeObject, resources } from "@keelson/kube";
import { operatorKey, storageVersionMigrations } from "@keelson/operator-kit";
import { type KitCluster, type KitOperator, kitServers } from "@keelson/operator-kit/testing";
import { namespaces } from "./config/namespaces.ts";
import { Rollout } from "./testing/rollout.ts";
import { addMasters, TestKubelets } from "./testing/test-kubelets.ts";
import {
  conditionIn,
  fillRecoveryToken,
  inTarget,
  operatorKinds,
  seedCluster,
  startTestOperator,
} from "./testing/test-operator.ts";

const base64 = (text: string) => Buffer.from(text).toString("base64");
const decoded = (text = "") => Buffer.from(text, "base64").toString();

for (const { name, start } of kitServers)
  describe(`encryption by a key management service on ${name}`, () => {
    let cluster: KitCluster;
    let operator: KitOperator;
    let kubelets: TestKubelets;
    let rollout: Rollout;

    before(async () => {
      const kinds = [...operatorKinds, storageVersionMigrations];
      cluster = await start({ kinds, featureSet: "TechPreviewNoUpgrade" });
      await seedCluster(cluster);
      await addMasters(cluster);
      kubelets = new TestKubelets(cluster);
      rollout = new Rollout(cluster, kubelets);
      operator = await startTestOperator(cluster);
      await fillRecoveryToken(cluster);
    });
    after(async () => {
      await operator?.[Symbol.asyncDispose]();
      await cluster?.[Symbol.asyncDispose]();
    });

    const ask = (vaultKeyPath: string) => {
      const vault = {
        kmsPluginImage: `registry.example.com/vault-kms@sha256:${"a".repeat(64)}`,
        vaultAddress: "https://vault.example.com:8200",
        vaultKeyPath,
        authentication: { type: "AppRole", appRole: { secret: { name: "vault-role" } } },
      };
      const spec = { encryption: { type: "KMS", kms: { type: "Vault", vault } } };
      return cluster.api.mergePatch(resources.apiServers, operatorKey, { spec }, cluster.signal);
    };
    const setGate = async (isOn: boolean) => {
      const { api, signal } = cluster;
      const live = await api.get(resources.featureGates, operatorKey, signal);
      const [gates] = listAt(live, "status", "featureGates");
      const kms = { name: "KMSEncryption" };
      const others = listAt(gates, "enabled").filter((each) => stringAt(each, "name") !== kms.name);
      const lists = { enabled: isOn ? [...others, kms] : others, disabled: isOn ? [] : [kms] };
      const status = { featureGates: [{ ...(gates as object), ...lists }] };
      await api.mergePatch(resources.featureGates, operatorKey, { status }, signal, "status");
    };
    /** Simulates the kubelet and a successful preflight pod. */
    const finishTrial = async () => {
      const { api, signal } = cluster;
      const trial = inTarget("kms-preflight");
      const pod = await api.find(resources.pods, trial, signal);
      if (!pod || stringAt(pod, "status", "phase") === "Succeeded") return;
      const [container] = listAt(pod, "spec", "containers");
      const hash = stringAt(listAt(container, "env").at(-1), "value");
      const conditions = [
        { type: "KMSPreflightConfigHash", status: "True", message: hash },
        { type: "KMSPreflightResult", status: "True" },
        { type: "KMSPreflightRemoteKeyID", status: "True", message: "remote" },
      ];
      await api.mergePatch(
        resources.pods,
        trial,
        { status: { phase: "Succeeded", conditions } },
        signal,
        "status",
      );
    };
    const finishMigrations = async () => {
      const { api, signal } = cluster;
      const { items } = await api.list(storageVersionMigrations, {}, signal);
      for (const migration of items) {
        if (conditionStatus(migration, "Succeeded") === "True") continue;
        const status = { conditions: [{ type: "Succeeded", status: "True" }] };
        await api.mergePatch(storageVersionMigrations, migration.metadata, { status }, signal, "status");
      }
    };
    const keyModes = async () => {
      const { items } = await cluster.api.list(
        resources.secrets,
        {
          namespace: namespaces.managed,
          labelSelector: "encryption.apiserver.operator.openshift.io/component=openshift-kube-apiserver",
        },
        cluster.signal,
      );
      return items.map(
        ({ metadata }) => metadata.annotations?.["encryption.apiserver.operator.openshift.io/mode"],
      );
    };
    /** Runs the cluster until `keys` keys exist and the newest key encrypts on all masters. */
    const encrypted = (keys: number) =>
      cluster.eventually(async () => {
        await finishTrial();
        await finishMigrations();
        await rollout.finished();
        assert.equal((await keyModes()).length, keys);
        assert.equal(conditionIn(await rollout.configuration(), "Encrypted").reason, "EncryptionCompleted");
        assert.ok((await writeProviders()).every((each) => each.startsWith(`${keys}_`)));
      });
    const podOf = async (revision: number): Promise<unknown> => {
      const found = await cluster.api.get(
        resources.configMaps,
        inTarget(`kube-apiserver-pod-${revision}`),
        cluster.signal,
      );
      return JSON.parse(stringAt(found, "data", "pod.yaml") ?? "");
    };
    const configOf = async (revision: number) => {
      const key = inTarget(`encryption-config-${revision}`);
      const secret: KubeObject | undefined = await cluster.api.find(resources.secrets, key, cluster.signal);
      return secret && JSON.parse(decoded(stringAt(secret, "data", "encryption-config")));
    };
    const providersOf = async (revision: number) =>
      listAt(await configOf(revision), "resources").map((each) =>
        listAt(each, "providers").map((provider) => stringAt(provider, "kms", "name") ?? ""),
      );
    const writeProviders = async () =>
      (await providersOf(await rollout.latest())).map(([first = ""]) => first);
    const pluginsOf = async (revision: number) =>
      listAt(await podOf(revision), "spec", "initContainers").flatMap((each) => {
        const [, id] = /^vault-kms-plugin-(\d+)$/.exec(stringAt(each, "name") ?? "") ?? [];
        return id === undefined ? [] : [id];
      });

    test("without its feature gate nothing changes except a condition", async () => {
      await rollout.finished(async () => assert.ok((await rollout.latest()) > 0));
      await cluster.put(resources.secrets, {
        metadata: { namespace: namespaces.config, name: "vault-role" },
        data: { "role-id": base64("the-role"), "secret-id": base64("the-secret") },
      });
      const before = await rollout.latest();
      await ask("transit/keys/one");
      await cluster.eventually(async () =>
        assert.match(
          conditionIn(await rollout.configuration(), "EncryptionKeyControllerDegraded").message,
          /not supported without feature gate KMSEncryption/,
        ),
      );
      await operator.quiet();
      assert.equal(await rollout.latest(), before);
      assert.deepEqual(await keyModes(), []);
      assert.equal(valueAt(await rollout.configuration(), "status", "encryptionStatus"), undefined);
    });

    test("all masters have the plugin before they write with its key, in consistent revisions", async () => {
      await setGate(true);
      await encrypted(1);
      assert.deepEqual(await keyModes(), ["KMS"]);
      assert.deepEqual(await pluginsOf(await rollout.latest()), ["1"]);
      const pod = await podOf(await rollout.latest());
      assert.ok(
        listAt(pod, "spec", "initContainers").some(
          (each) => stringAt(each, "name") === "kms-health-reporter",
        ),
      );
      assert.doesNotMatch(JSON.stringify(pod), /the-secret/);
    });

    test("a changed key of the service is a new key next to the previous one, regardless of the gate", async () => {
      await ask("transit/keys/two");
      await encrypted(2);
      assert.deepEqual(await keyModes(), ["KMS", "KMS"]);
      assert.deepEqual(await pluginsOf(await rollout.latest()), ["2", "1"]);
      const before = await rollout.latest();
      await setGate(false);
      await cluster.api.mergePatch(
        resources.kubeApiServers,
        operatorKey,
        { spec: { forceRedeploymentReason: "again" } },
        cluster.signal,
      );
      await rollout.finished(async () => assert.ok((await rollout.latest()) > before));
      assert.deepEqual(await pluginsOf(await rollout.latest()), ["2", "1"], "what is stored needs them");
    });

    test("every revision that was ready runs exactly the plugins of its configuration", async () => {
      for (let revision = 1; revision <= (await rollout.latest()); revision += 1) {
        const status = await cluster.api.find(
          resources.configMaps,
          inTarget(`revision-status-${revision}`),
          cluster.signal,
        );
        if (!status) continue;
        const needed = (await providersOf(revision)).flat().flatMap((each) => each.split("_")[0] || []);
        assert.deepEqual(
          (await pluginsOf(revision)).toSorted(),
          [...new Set(needed)].toSorted(),
          `revision ${revision}`,
        );
      }
    });
  });
