import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { clusters, operatorNamespace, singleton } from "@keelson/aro-api";
import { stringAt, valueAt } from "@keelson/base";
import { type KubeObject, resources } from "@keelson/kube";
import {
  condition,
  provesRepair,
  type TestCluster,
  type TestOperator,
  testServers,
} from "../../testing/index.ts";
import { pullSecretController } from "./controller.ts";

const { secrets } = resources;
const key = { namespace: "openshift-config", name: "pull-secret" };
const type = "kubernetes.io/dockerconfigjson";
const auth = (text: string) => ({ auth: Buffer.from(text).toString("base64") });
const service = { "arosvc.azurecr.io": auth("service:secret") };
const data = (configuration: unknown) => ({
  ".dockerconfigjson": Buffer.from(JSON.stringify(configuration)).toString("base64"),
});

for (const { name, start } of testServers) {
  describe(`the pull secret on ${name}`, () => {
    let cluster: TestCluster;
    let operator: TestOperator;
    const live = () => cluster.api.get(secrets, key, cluster.signal);
    const read = (secret: KubeObject) =>
      JSON.parse(Buffer.from(stringAt(secret, "data", ".dockerconfigjson") ?? "", "base64").toString());
    const remediations = (result = "success") => operator.metric("aro_pullsecret_remediation", { result });
    const degraded = () => condition(cluster, "PullSecretControllerDegraded");
    const redHatKeys = async () =>
      valueAt(await cluster.api.get(clusters, singleton, cluster.signal), "status", "redHatKeysPresent");
    const edit = (configuration: unknown) =>
      cluster.api.mergePatch(secrets, key, { data: data(configuration) }, cluster.signal);
    before(async () => {
      cluster = await start({ kinds: [] });
      await cluster.put(resources.namespaces, { metadata: { name: "openshift-config" } });
      operator = await cluster.start({ controllers: [pullSecretController] });
    });
    after(() => cluster[Symbol.asyncDispose]());

    test("is Degraded until the service's keys exist", async () => {
      await cluster.eventually(async () =>
        assert.deepEqual(await degraded(), {
          status: "True",
          reason: "ReconcileFailed",
          message: "Secret openshift-azure-operator/cluster is missing: the service creates it",
        }),
      );
      assert.equal(await cluster.api.find(secrets, key, cluster.signal), undefined);
      await cluster.put(secrets, {
        metadata: { namespace: operatorNamespace, name: "cluster" },
        type: "Opaque",
        data: data({ auths: service }),
      });
      await cluster.eventually(async () => assert.deepEqual(read(await live()), { auths: service }));
      await cluster.eventually(async () => assert.equal((await degraded()).status, "False"));
    });

    test("is repaired", async () => {
      await provesRepair(cluster, operator, { resource: secrets, key, edit: { data: data({ auths: {} }) } });
    });

    test("acceptance 5: a deleted one is restored, and the customer's keys survive an edit of the service's", async () => {
      const before = await remediations();
      await cluster.api.delete(secrets, key, cluster.signal);
      await cluster.eventually(async () => {
        const secret = await live();
        assert.equal(secret.type, type);
        assert.deepEqual(read(secret), { auths: service });
        assert.equal(await remediations(), before + 1);
      });
      const quay = { "quay.io": auth("customer:secret") };
      await edit({ credsStore: "desktop", auths: { ...quay, "arosvc.azurecr.io": auth("wrong:wrong") } });
      await cluster.eventually(async () =>
        assert.deepEqual(read(await live()), { credsStore: "desktop", auths: { ...quay, ...service } }),
      );
      await operator.quiet();
      assert.equal(await remediations(), before + 2);
      assert.equal(await remediations("error"), 0);
    });

    test("the keys of Red Hat are reported", async () => {
      await edit({
        auths: { ...service, "cloud.openshift.com": auth("a:b"), "registry.redhat.io": { auth: 7 } },
      });
      await cluster.eventually(async () => assert.deepEqual(await redHatKeys(), ["cloud.openshift.com"]));
      assert.equal((await degraded()).status, "False");
    });

    test("one of a different type is replaced with the customer's keys and labels preserved", async () => {
      await cluster.configure({ operatorflags: { "aro.pullsecret.enabled": "false" } });
      await operator.quiet();
      const customer = { "quay.io": auth("customer:secret") };
      await cluster.api.delete(secrets, key, cluster.signal);
      await cluster.put(secrets, {
        metadata: { ...key, labels: { "example.com/team": "a" } },
        type: "Opaque",
        immutable: true,
        data: data({ auths: customer }),
      });
      await cluster.configure({ operatorflags: { "aro.pullsecret.enabled": "true" } });
      await cluster.eventually(async () => {
        const secret = await live();
        assert.equal(secret.type, type);
        assert.deepEqual(read(secret), { auths: { ...customer, ...service } });
        assert.deepEqual(secret.metadata.labels, { "example.com/team": "a" });
      });
    });

    test("one with a pending finalizer is named", async () => {
      await cluster.configure({ operatorflags: { "aro.pullsecret.enabled": "false" } });
      await operator.quiet();
      await cluster.api.delete(secrets, key, cluster.signal);
      await cluster.put(secrets, {
        metadata: { ...key, finalizers: ["example.com/held"] },
        type: "Opaque",
        data: {},
      });
      await cluster.configure({ operatorflags: { "aro.pullsecret.enabled": "true" } });
      await cluster.eventually(async () =>
        assert.match((await degraded()).message, /before its finalizers have: example\.com\/held$/),
      );
      await cluster.api.mergePatch(secrets, key, { metadata: { finalizers: null } }, cluster.signal);
      await cluster.eventually(async () => assert.deepEqual(read(await live()), { auths: service }));
      await cluster.eventually(async () => assert.equal((await degraded()).status, "False"));
    });

    test("acceptance 6: an unmanaged one is not changed, but its Red Hat keys are still reported", async () => {
      await cluster.configure({ operatorflags: { "aro.pullsecret.managed": "false" } });
      const broken = { "arosvc.azurecr.io": auth("wrong:wrong") };
      await edit({ auths: { ...broken, "registry.redhat.io": auth("a:b") } });
      await cluster.eventually(async () => assert.deepEqual(await redHatKeys(), ["registry.redhat.io"]));
      await operator.quiet();
      assert.deepEqual(read(await live()).auths["arosvc.azurecr.io"], broken["arosvc.azurecr.io"]);
      await cluster.api.delete(secrets, key, cluster.signal);
      await cluster.eventually(async () =>
        assert.equal((await degraded()).message, "Secret openshift-config/pull-secret is missing"),
      );
      assert.deepEqual(await redHatKeys(), []);
      await cluster.configure({ operatorflags: { "aro.pullsecret.managed": "true" } });
      await cluster.eventually(async () => assert.equal((await degraded()).status, "False"));
    });

    test("keys of the service that cannot be read change nothing", async () => {
      const { metadata } = await live();
      const own = { namespace: operatorNamespace, name: "cluster" };
      await cluster.api.mergePatch(secrets, own, { data: data([1]) }, cluster.signal);
      await cluster.eventually(async () =>
        assert.equal(
          (await degraded()).message,
          "Secret openshift-azure-operator/cluster: .dockerconfigjson is not a JSON object with auths",
        ),
      );
      assert.equal((await live()).metadata.resourceVersion, metadata.resourceVersion);
    });
  });
}
