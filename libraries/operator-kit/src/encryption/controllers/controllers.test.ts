import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { listAt, stringAt, valueAt } from "@keelson/base";
import { watchFor } from "@keelson/controller";
import { conditionStatus, findCondition, type KubeObject, resources } from "@keelson/kube";
import type { OperatorParts } from "../../operator/operator-controller.ts";
import { operatorKey } from "../../operator/operator-resource.ts";
import { type KitCluster, type KitOperator, kitServers, startKitOperator } from "../../testing/index.ts";
import { vaultPlugin } from "../../testing/vault-plugin.ts";
import { type EncryptionMode, isEncryptionMode } from "../encryption-key.ts";
import { storageVersionMigrations } from "../migration.ts";
import { encryptionControllers } from "./controllers.ts";

const managed = "openshift-config-managed";
const modeAnnotation = "encryption.apiserver.operator.openshift.io/mode";
const operand = "operand";
const masters = ["master-0", "master-1"];
const { secrets, pods, nodes, configMaps, kubeApiServers } = resources;

for (const { name: serverName, start } of kitServers) {
  let cluster: KitCluster;
  let operator: KitOperator;
  let revision = 0;

  const startOperator = () =>
    startKitOperator<OperatorParts>(cluster, {
      resource: kubeApiServers,
      instance: "test",
      namespace: operand,
      parts: (parts) => parts,
      controllers: encryptionControllers<OperatorParts>(
        kubeApiServers,
        {
          component: "test",
          namespace: operand,
          podSelector: "apiserver=true",
          resources: ["secrets", "configmaps"],
          policy: ({ cache }) => {
            const asked = cache.find(configMaps, { namespace: operand, name: "asked" });
            const mode = stringAt(asked, "data", "mode") ?? "identity";
            assert.ok(isEncryptionMode(mode));
            return { mode, externalReason: "", ...(mode === "KMS" ? { plugin: vaultPlugin() } : {}) };
          },
          preflight: { image: () => "operator:1", command: ["the-operator", "kms-preflight"] },
        },
        [
          watchFor<KubeObject>(configMaps, operatorKey, { selection: { namespace: operand } }),
          watchFor<KubeObject>(secrets, operatorKey, { selection: { namespace: "openshift-config" } }),
        ],
      ),
    });
  const ask = (mode: EncryptionMode) =>
    cluster.put(configMaps, { metadata: { namespace: operand, name: "asked" }, data: { mode } });
  const config = async () => {
    const key = { namespace: managed, name: "encryption-config-test" };
    const secret = await cluster.api.find(secrets, key, cluster.signal);
    return secret && Buffer.from(stringAt(secret, "data", "encryption-config") ?? "", "base64").toString();
  };
  const providers = async () =>
    listAt(JSON.parse((await config()) ?? "{}"), "resources").map((each) =>
      listAt(each, "providers").map((provider) => Object.keys(provider as object)[0]),
    );
  const runRevision = (master: string, number: number, ready = "True") =>
    cluster.put(pods, {
      metadata: {
        namespace: operand,
        name: `apiserver-${master}`,
        labels: { apiserver: "true", revision: `${number}` },
      },
      spec: { nodeName: master, containers: [{ name: "apiserver", image: "server" }] },
      status: { phase: "Running", conditions: [{ type: "Ready", status: ready }] },
    });
  /** Simulates revisions and installers. The current configuration reaches the masters one after the other. */
  const rollOut = async () => {
    revision += 1;
    const text = await config();
    const metadata = { namespace: operand, name: `encryption-config-${revision}` };
    const data = { "encryption-config": Buffer.from(text ?? "").toString("base64") };
    if (text !== undefined) await cluster.put(secrets, { metadata, data });
    for (const master of masters) await runRevision(master, revision);
  };
  const encrypted = async () => {
    const live = await cluster.api.get(kubeApiServers, operatorKey, cluster.signal);
    const condition = findCondition(live, "Encrypted");
    return `${stringAt(condition, "status")} ${stringAt(condition, "reason")}`;
  };
  const finishMigration = (name: string) =>
    cluster.eventually(async () => {
      const migration = await cluster.api.get(storageVersionMigrations, { name }, cluster.signal);
      const status = { conditions: [{ type: "Succeeded", status: "True" }] };
      await cluster.api.mergePatch(
        storageVersionMigrations,
        migration.metadata,
        { status },
        cluster.signal,
        "status",
      );
    });

  before(async () => {
    cluster = await start({
      kinds: [kubeApiServers, storageVersionMigrations],
      featureSet: "TechPreviewNoUpgrade",
    });
    await cluster.put(kubeApiServers, {
      metadata: { name: "cluster" },
      spec: { managementState: "Managed" },
    });
    for (const name of masters)
      await cluster.put(nodes, { metadata: { name, labels: { "node-role.kubernetes.io/master": "" } } });
    await cluster.put(configMaps, { metadata: { namespace: managed, name: "any" } });
    await ask("identity");
    // Creates the default service account, because this test runs without a controller manager.
    await cluster.put(resources.serviceAccounts, { metadata: { namespace: operand, name: "default" } });
    await rollOut();
    operator = await startOperator();
  });
  after(async () => {
    await operator[Symbol.asyncDispose]();
    await cluster[Symbol.asyncDispose]();
  });

  test(`acceptance 25: encryption comes read key first, then write key, then migration, over restarts (${serverName})`, async () => {
    await cluster.eventually(async () => assert.equal(await encrypted(), "False EncryptionDisabled"));
    assert.equal(await config(), undefined);

    await ask("aescbc");
    await cluster.eventually(async () => assert.deepEqual((await providers())[0], ["identity", "aescbc"]));
    const [key] = (await cluster.api.list(secrets, { namespace: managed }, cluster.signal)).items.filter(
      ({ metadata }) => metadata.name === "encryption-key-test-1",
    );
    assert.deepEqual(key?.metadata.finalizers, [
      "encryption.apiserver.operator.openshift.io/deletion-protection",
    ]);
    await operator[Symbol.asyncDispose]();

    // Only one of the two masters has the read key. The key must therefore not become the write key.
    const metadata = { namespace: operand, name: "encryption-config-2" };
    const data = { "encryption-config": Buffer.from((await config()) ?? "").toString("base64") };
    await cluster.put(secrets, { metadata, data });
    await runRevision("master-0", 2);
    operator = await startOperator();
    await operator.quiet();
    assert.deepEqual((await providers())[0], ["identity", "aescbc"]);
    revision = 1;
    await rollOut();
    await cluster.eventually(async () => assert.deepEqual((await providers())[0], ["aescbc", "identity"]));
    await cluster.eventually(async () => assert.equal(await encrypted(), "False EncryptionInProgress"));
    await operator[Symbol.asyncDispose]();
    operator = await startOperator();
    await rollOut();

    await finishMigration("encryption-migration-core-secrets");
    await finishMigration("encryption-migration-core-configmaps");
    await cluster.eventually(async () => assert.equal(await encrypted(), "True EncryptionCompleted"));
    const live = await cluster.api.get(kubeApiServers, operatorKey, cluster.signal);
    for (const type of ["Key", "State", "Migration", "Prune"])
      assert.equal(conditionStatus(live, `Encryption${type}ControllerDegraded`), "False");
    const events = (await cluster.api.list(resources.events, { namespace: operand }, cluster.signal)).items;
    const reasons = new Set(events.map((event) => stringAt(event, "reason")));
    assert.ok(
      reasons.has("EncryptionKeyCreated") && reasons.has("EncryptionKeyPromoted"),
      [...reasons].join(),
    );
  });

  test(`a key that cannot be read is a failure, and nothing is written over it (${serverName})`, async () => {
    const bad = { namespace: managed, name: "encryption-key-test-2" };
    const labels = { "encryption.apiserver.operator.openshift.io/component": "test" };
    await cluster.put(secrets, { metadata: { ...bad, labels }, data: { any: "AAAA" } });
    const before = await config();
    await ask("aesgcm");
    await cluster.eventually(async () => {
      const live = await cluster.api.get(kubeApiServers, operatorKey, cluster.signal);
      const condition = findCondition(live, "EncryptionKeyControllerDegraded");
      assert.match(stringAt(condition, "message") ?? "", /encryption-key-test-2 is invalid/);
    });
    assert.equal(await config(), before);
    assert.equal(valueAt(await cluster.api.get(secrets, bad, cluster.signal), "data", "any"), "AAAA");
    await cluster.api.delete(secrets, bad, cluster.signal);
    await cluster.eventually(async () =>
      assert.deepEqual((await providers())[0], ["aescbc", "aesgcm", "identity"]),
    );
  });

  test(`a key management service is tried before a key is made with it (${serverName})`, async () => {
    await rollOut();
    await cluster.eventually(async () => assert.deepEqual((await providers())[0]?.[0], "aesgcm"));
    await rollOut();
    await finishMigration("encryption-migration-core-secrets");
    await finishMigration("encryption-migration-core-configmaps");
    await cluster.eventually(async () => assert.equal(await encrypted(), "True EncryptionCompleted"));
    const live = () => cluster.api.get(kubeApiServers, operatorKey, cluster.signal);
    const condition = async (type: string) => {
      const found = listAt(await live(), "status", "conditions").find(
        (each) => stringAt(each, "type") === type,
      );
      return `${stringAt(found, "status")} ${stringAt(found, "reason")} ${stringAt(found, "message")}`;
    };
    await ask("KMS");
    await cluster.eventually(async () =>
      assert.match(await condition("EncryptionKeyControllerDegraded"), /secret role in openshift-config/),
    );
    const role = (id: string) =>
      cluster.put(secrets, {
        metadata: { namespace: "openshift-config", name: "role" },
        data: {
          "role-id": Buffer.from("r").toString("base64"),
          "secret-id": Buffer.from(id).toString("base64"),
        },
      });
    const hashOfTrial = async () => {
      const pod = await cluster.api.get(pods, trial, cluster.signal);
      const [container] = listAt(pod, "spec", "containers");
      return stringAt(listAt(container, "env").at(-1), "value") ?? "";
    };
    const trial = { namespace: operand, name: "kms-preflight" };
    /** Waits until the preflight configuration hash differs from `before`. Then writes the result of the preflight pod. */
    const finishTrial = (result: "True" | "False", before: string) =>
      cluster.eventually(async () => {
        const hash = await hashOfTrial();
        assert.notEqual(hash, before);
        const conditions = [
          { type: "KMSPreflightConfigHash", status: "True", message: hash },
          { type: "KMSPreflightResult", status: result, message: "encrypt call failed" },
          { type: "KMSPreflightRemoteKeyID", status: "True", message: "remote-1" },
        ];
        await cluster.api.mergePatch(pods, trial, { status: { conditions } }, cluster.signal, "status");
        return hash;
      });
    await role("wrong");
    const failed = await finishTrial("False", "");
    await cluster.eventually(async () =>
      assert.match(
        await condition("EncryptionKMSPreflightControllerDegraded"),
        /True PreflightCheckFailed .*encrypt call failed/,
      ),
    );
    await cluster.eventually(async () =>
      assert.match(await condition("EncryptionKeyControllerDegraded"), /fix the KMS configuration/),
    );
    const keysOfKms = async () => {
      const { items } = await cluster.api.list(secrets, { namespace: managed }, cluster.signal);
      return items.filter((each) => each.metadata.annotations?.[modeAnnotation] === "KMS");
    };
    assert.deepEqual(await keysOfKms(), [], "no key without a trial that succeeded");

    await role("right");
    const hash = await finishTrial("True", failed);
    await cluster.eventually(async () => assert.equal((await keysOfKms()).length, 1));
    assert.deepEqual(valueAt(await live(), "status", "encryptionStatus", "preflight"), {
      observedConfigHash: hash,
      result: { status: "Succeeded", configHash: hash, remoteKeyID: "remote-1" },
    });
    await cluster.eventually(async () =>
      assert.deepEqual((await providers())[0], ["aesgcm", "kms", "aescbc", "identity"]),
    );
    await rollOut();
    await cluster.eventually(async () => assert.deepEqual((await providers())[0]?.[0], "kms"));
    await cluster.eventually(async () => {
      assert.equal(await cluster.api.find(pods, trial, cluster.signal), undefined, "the trial's pod is gone");
      const secret = { namespace: operand, name: "kms-preflight-encryption-config" };
      assert.equal(await cluster.api.find(secrets, secret, cluster.signal), undefined);
    });

    // A new credential for an unchanged service causes neither a new key nor a migration.
    const dataOfConfig = async () => {
      const secret = { namespace: managed, name: "encryption-config-test" };
      return valueAt(
        await cluster.api.get(secrets, secret, cluster.signal),
        "data",
        "kms-plugin-secret-role_secret-id-3",
      );
    };
    const text = await config();
    const [keyBefore] = await keysOfKms();
    await role("renewed");
    const renewed = await finishTrial("True", hash);
    assert.notEqual(renewed, hash);
    await cluster.eventually(async () =>
      assert.equal(await dataOfConfig(), Buffer.from("renewed").toString("base64")),
    );
    assert.equal(await config(), text);
    const [keyAfter, other] = await keysOfKms();
    assert.equal(other, undefined);
    assert.deepEqual(keyAfter?.metadata.annotations, keyBefore?.metadata.annotations);
    await role("wrong");
    const refused = await finishTrial("False", renewed);
    assert.notEqual(refused, renewed);
    await cluster.eventually(async () =>
      assert.match(await condition("EncryptionKeyControllerDegraded"), /fix the KMS configuration/),
    );
    assert.equal(
      await dataOfConfig(),
      Buffer.from("renewed").toString("base64"),
      "what was refused is not used",
    );
  });
}
