import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { isPlainObject, listAt, numberAt, objectAt, stringAt, valueAt } from "@keelson/base";
import { type KubeObject, resources } from "@keelson/kube";
import { operatorKey } from "@keelson/operator-kit";
import { type KitCluster, type KitOperator, kitServers } from "@keelson/operator-kit/testing";
import { namespaces } from "../../config/namespaces.ts";
import { certificateDir, resourceDir } from "../../config/operand-paths.ts";
import { servingKeyPair } from "../serving-key-pair.ts";
import { addMasters, TestKubelets } from "../test-kubelets.ts";
import {
  conditionIn,
  fillRecoveryToken,
  inTarget,
  operatorKinds,
  seedAuthorities,
  seedConfiguration,
  startTestOperator,
} from "../test-operator.ts";
import { recordedArguments, recordedModern, recordedSettings } from "./recorded-config.ts";
import * as recorded from "./recorded-stages.ts";

/**
 * Matches the names of objects that OpenShift's Go operator creates and that this operator does not create. See "Differences" in
 * the README.
 */
const notMade = /^StorageVersionMigration /;
/**
 * Conditions for which this operator has a more specific reason than OpenShift's Go operator. See "Differences" in the README.
 */
const moreReasons: Readonly<Record<string, string>> = { Encrypted: "False/EncryptionDisabled" };
/**
 * Event reasons that are not compared. Some Events occur only with a stale cache or come from other components. The remaining
 * Events require a lease, and the manager's tests cover them.
 */
const otherReasons = [
  "ConfigMapUpdateFailed",
  "CustomResourceDefinitionUpdated",
  "LeaderElection",
  "ObservedConfigWriteError",
  "RotationError",
  "SecretCreateFailed",
  "SecretUpdated",
];
const goodWhenTrue = /(Available|Upgradeable|Complete|CertificatesValid|ConfigRecognized)$/;

for (const { name, start } of kitServers)
  describe(`a cluster as recorded from the original operator, on ${name}`, () => {
    let cluster: KitCluster;
    let operator: KitOperator;
    let kubelets: TestKubelets;

    before(async () => {
      cluster = await start({ kinds: operatorKinds });
      await seedConfiguration(cluster);
      await addMasters(cluster);
      kubelets = new TestKubelets(cluster);
      await cluster.put(resources.namespaces, { metadata: { name: namespaces.target } });
      await kubelets.bootstrap();
      await cluster.put(resources.secrets, {
        metadata: { namespace: namespaces.config, name: "named" },
        type: "kubernetes.io/tls",
        data: await servingKeyPair("api.test.example"),
      } as Partial<KubeObject> & Pick<KubeObject, "metadata">);
      const servingCerts = {
        namedCertificates: [{ names: ["api.test.example"], servingCertificate: { name: "named" } }],
      };
      await patchApiServer({ servingCerts });
      operator = await startTestOperator(cluster);
      await fillRecoveryToken(cluster);
    });
    after(async () => {
      await operator?.[Symbol.asyncDispose]();
      await cluster?.[Symbol.asyncDispose]();
    });

    const configuration = () => cluster.api.get(resources.kubeApiServers, operatorKey, cluster.signal);
    const patchApiServer = (spec: object) =>
      cluster.api.mergePatch(resources.apiServers, operatorKey, { spec }, cluster.signal);
    const list = async (resource: typeof resources.configMaps, namespace?: string) =>
      (await cluster.api.list(resource, namespace === undefined ? {} : { namespace }, cluster.signal)).items;
    const events = () => list(resources.events, namespaces.operator);
    const configOf = async (revision: number): Promise<unknown> => {
      const key = inTarget(`config-${revision}`);
      const found = await cluster.api.get(resources.configMaps, key, cluster.signal);
      return JSON.parse(stringAt(found, "data", "config.yaml") ?? "null");
    };

    async function requireConditions(...tables: readonly recorded.ConditionTable[]): Promise<KubeObject> {
      const live = await configuration();
      const expected = new Map(
        tables.flatMap((table) =>
          Object.entries(table).flatMap(([value, types]) => types.map((type) => [type, value] as const)),
        ),
      );
      for (const [type, value] of expected) {
        const { status, reason, message } = conditionIn(live, type);
        const found = reason === undefined ? status : `${status}/${reason}`;
        assert.equal(found, moreReasons[type] ?? value, `${type}: ${message}`);
      }
      return live;
    }
    function requireMessages(live: KubeObject, messages: Readonly<Record<string, string>>): void {
      for (const [type, message] of Object.entries(messages))
        assert.equal(conditionIn(live, type).message, message, type);
    }
    async function requireData(...tables: readonly (typeof recorded.dataWithEtcd)[]): Promise<void> {
      for (const { configMaps, secrets } of tables)
        for (const [resource, wanted] of [
          [resources.configMaps, configMaps],
          [resources.secrets, secrets],
        ] as const)
          for (const [namespace, names] of Object.entries(wanted)) {
            const present = (await list(resource, namespace)).map(({ metadata }) => metadata.name);
            const missing = names.filter((each) => !present.includes(each));
            assert.deepEqual(missing, [], `${resource.plural} of ${namespace}`);
          }
    }
    async function requireEvents(reasons: readonly string[], created: readonly string[]): Promise<void> {
      const found = await events();
      const seen = new Set(found.map((each) => stringAt(each, "reason")));
      const absent = reasons.filter((each) => !seen.has(each) && !otherReasons.includes(each));
      assert.deepEqual(absent, [], "reasons of Events");
      const objects = new Set(found.map((each) => createdObject(stringAt(each, "message") ?? "")));
      assert.deepEqual(
        created.filter((each) => !objects.has(each) && !notMade.test(each)),
        [],
        "objects that are created according to Events",
      );
    }

    test("without etcd everything except the configuration exists", async () => {
      await cluster.eventually(async () => {
        await requireData(recorded.dataWithoutEtcd);
        const live = await requireConditions(
          withoutTypes(recorded.rolledOutConditions, ["TargetConfigControllerDegraded"]),
          recorded.withoutEtcdConditions,
        );
        requireMessages(live, recorded.withoutEtcdMessages);
      });
      await cluster.eventually(() =>
        requireEvents(recorded.reasonsWithoutEtcd.filter(notOfUpdates), recorded.createdWithoutEtcd),
      );
      const messages = (await events())
        .filter((each) => stringAt(each, "reason") === "ConfigMissing")
        .map((each) => stringAt(each, "message"));
      assert.ok(
        messages.includes("apiServerArguments.etcd-servers missing from config"),
        messages.join("\n"),
      );
      const present = await list(resources.configMaps, namespaces.target);
      assert.equal(
        present.find(({ metadata }) => metadata.name === "config"),
        undefined,
      );
    });

    test("with etcd and the installer's objects the first revision is on all masters", async () => {
      await seedAuthorities(cluster);
      await cluster.eventually(async () => {
        await kubelets.run();
        const live = await requireConditions(recorded.rolledOutConditions);
        requireMessages(live, {
          NodeInstallerProgressing: "3 nodes are at revision 1",
          StaticPodsAvailable: "3 nodes are active; 3 nodes are at revision 1",
        });
        for (const condition of listAt(live, "status", "conditions")) {
          const type = stringAt(condition, "type") ?? "";
          const good = goodWhenTrue.test(type) ? "True" : "False";
          assert.equal(stringAt(condition, "status"), good, `${type}: ${stringAt(condition, "message")}`);
        }
      });
      const copies = (names: readonly string[]) => names.map((each) => `${each}-1`);
      await requireData(recorded.dataWithEtcd, {
        configMaps: { [namespaces.target]: copies(recorded.revisionCopies.configMaps) },
        secrets: { [namespaces.target]: copies(recorded.revisionCopies.secrets) },
      });
      await cluster.eventually(() => requireEvents(recorded.reasonsWithEtcd, recorded.createdWithEtcd));
      const known = new Set([...recorded.reasonsWithoutEtcd, ...recorded.reasonsWithEtcd]);
      const unknown = (await events()).filter(
        (each) => stringAt(each, "type") === "Warning" && !known.has(stringAt(each, "reason") ?? ""),
      );
      assert.deepEqual(
        unknown.map((each) => stringAt(each, "message")),
        [],
      );
    });

    test("types and keys match those that other components read", async () => {
      for (const namespace of [namespaces.target, namespaces.operator, namespaces.managed])
        for (const resource of [resources.configMaps, resources.secrets])
          for (const each of await list(resource, namespace)) {
            const { name, annotations = {} } = each.metadata;
            const type = stringAt(each, "type");
            const keys = Object.keys(dataOf(each)).toSorted();
            const expected = recorded.dataKeys[type === undefined ? name : `${name} ${type}`];
            if (expected) assert.deepEqual(keys, expected, name);
            const isIssued = "auth.openshift.io/certificate-not-after" in annotations;
            if (type === "kubernetes.io/tls" || (isIssued && type !== "Opaque"))
              assert.deepEqual([type, keys], ["kubernetes.io/tls", ["tls.crt", "tls.key"]], name);
            if (resource === resources.configMaps && /(-ca|ca-bundle)$/.test(name) && keys.length > 0)
              assert.deepEqual(keys, ["ca-bundle.crt"], name);
          }
    });

    test("ClusterOperator and configuration are the recorded ones", async () => {
      await cluster.eventually(async () => {
        const live = await cluster.api.get(
          resources.clusterOperators,
          { name: "kube-apiserver" },
          cluster.signal,
        );
        for (const [type, [status, reason]] of Object.entries(recorded.clusterOperatorConditions)) {
          const found = conditionIn(live, type);
          assert.deepEqual([found.status, found.reason], [status, reason], `${type}: ${found.message}`);
        }
        assert.deepEqual(
          listAt(live, "status", "relatedObjects").map(
            (each) =>
              `${stringAt(each, "resource")}.${stringAt(each, "group")} ${stringAt(each, "namespace") ?? ""}/${stringAt(each, "name")}`,
          ),
          recorded.relatedObjects,
        );
      });
      requireConfig(await configOf(1), recordedSettings);
    });

    test("a change of the registry's hostname rolls out to the first master only", async () => {
      await cluster.put(resources.configImages, {
        metadata: operatorKey,
        status: { internalRegistryHostname: "registry.changed.svc:5000" },
      });
      const live = await cluster.eventually(() =>
        requireConditions(recorded.rolledOutConditions, recorded.rollingConditions),
      );
      await cluster.eventually(async () => requireMessages(await configuration(), recorded.rollingMessages));
      assert.deepEqual(
        listAt(await configuration(), "status", "nodeStatuses").map((node) => [
          numberAt(node, "currentRevision"),
          numberAt(node, "targetRevision") ?? 0,
        ]),
        [
          [1, 2],
          [1, 0],
          [1, 0],
        ],
        JSON.stringify(live.status),
      );
    });

    test("acceptance 15: the profile Modern, while the second revision is on its way, is a third", async () => {
      await patchApiServer({ tlsSecurityProfile: { type: "Modern", modern: {} } });
      await cluster.eventually(async () => {
        await kubelets.run();
        assert.equal(numberAt(await configuration(), "status", "latestAvailableRevision"), 3);
        await requireConditions(recorded.rolledOutConditions);
      });
      requireConfig(await configOf(3), {
        ...recordedSettings,
        "imagePolicyConfig internalRegistryHostname": "registry.changed.svc:5000",
        ...recordedModern,
      });
      for (const revision of [2, 3]) {
        const key = inTarget(`revision-status-${revision}`);
        const status = await cluster.api.get(resources.configMaps, key, cluster.signal);
        assert.equal(stringAt(status, "data", "reason"), "required configmap/config has changed");
      }
    });

    test("a change of feature gates creates an Event and does not stop the process", async () => {
      const gates = await cluster.api.get(resources.featureGates, operatorKey, cluster.signal);
      const [details] = listAt(gates, "status", "featureGates");
      assert.ok(isPlainObject(details));
      const featureGates = (disabled: string) => [{ ...details, disabled: [{ name: disabled }] }];
      const write = (disabled: string) =>
        cluster.api.mergePatch(
          resources.featureGates,
          operatorKey,
          { status: { featureGates: featureGates(disabled) } },
          cluster.signal,
          "status",
        );
      const modified = async () =>
        (await events()).filter((each) => stringAt(each, "reason") === "FeatureGatesModified").length;
      await write("ExternalOIDC");
      await cluster.eventually(async () => assert.equal(await modified(), 1));
      await write("KMSEncryption");
      await cluster.eventually(async () => {
        assert.equal(await modified(), 2);
        await kubelets.run();
        const live = await requireConditions(recorded.rolledOutConditions);
        const latest = numberAt(live, "status", "latestAvailableRevision") ?? 0;
        const observed = listAt(live, "spec", "observedConfig", "apiServerArguments", "feature-gates");
        assert.ok(observed.includes("KMSEncryption=false"));
        assert.deepEqual(listAt(await configOf(latest), "apiServerArguments", "feature-gates"), observed);
      });
    });
  });

/** True unless the Event reason reports an update. While etcd is missing, no object changes, so no update is expected. */
function notOfUpdates(reason: string): boolean {
  return reason !== "ConfigMapUpdated";
}

function withoutTypes(table: recorded.ConditionTable, types: readonly string[]): recorded.ConditionTable {
  return Object.fromEntries(
    Object.entries(table).map(([value, all]) => [value, all.filter((each) => !types.includes(each))]),
  );
}

/** Returns the object that an Event reports as created, as `Kind name`. */
function createdObject(message: string): string | undefined {
  const [, kind, name] = /^Created (\w+)[^/]*\/(\S+)/.exec(message) ?? [];
  return kind === undefined ? undefined : `${kind} ${name}`;
}

function dataOf(object: KubeObject): object {
  const data = valueAt(object, "data");
  return objectAt(data);
}

function requireConfig(config: unknown, settings: Readonly<Record<string, unknown>>): void {
  const { apiServerArguments, ...rest } = objectAt(config);
  const found = Object.entries(objectAt(apiServerArguments))
    .filter(([argument]) => argument !== "feature-gates")
    .map(([argument, values]) => [argument, Array.isArray(values) ? shortened(values.join(",")) : values]);
  assert.deepEqual(Object.fromEntries(found), recordedArguments);
  assert.deepEqual(Object.fromEntries(leaves(rest)), settings);
}

/** Returns the values by path. Named certificates are formatted as lines. */
function leaves(value: unknown, path: readonly string[] = []): readonly (readonly [string, unknown])[] {
  if (isPlainObject(value))
    return Object.entries(value).flatMap(([member, inner]) => leaves(inner, [...path, member]));
  if (!Array.isArray(value)) return [[path.join(" "), value]];
  const texts = value.map((each: unknown) =>
    isPlainObject(each) ? Object.values(each).flat().map(String).join(" ") : String(each),
  );
  return [[path.join(" "), texts.map(shortened)]];
}

function shortened(text: string): string {
  return text.replaceAll(certificateDir, "$SC").replaceAll(resourceDir, "$SP");
}
