import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { listAt, stringAt, valueAt } from "@keelson/base";
import { type JsonPatchStep, resources } from "@keelson/kube";
import { operatorKey } from "@keelson/operator-kit";
import { type KitCluster, type KitOperator, kitServers } from "@keelson/operator-kit/testing";
import { namespaces } from "./config/namespaces.ts";
import { servingKeyPair } from "./testing/serving-key-pair.ts";
import {
  conditionIn,
  fillRecoveryToken,
  inTarget,
  operatorKinds,
  seedCluster,
  startTestOperator,
} from "./testing/test-operator.ts";

for (const { name, start } of kitServers)
  describe(`the operator on ${name}`, () => {
    let cluster: KitCluster;
    let operator: KitOperator;

    before(async () => {
      cluster = await start({ kinds: operatorKinds });
      await seedCluster(cluster);
      // Pods need a service account. In a real cluster, a controller creates it.
      await cluster.put(resources.serviceAccounts, { metadata: { namespace: "mine", name: "default" } });
      await cluster.put(resources.pods, {
        metadata: { namespace: "mine", name: "violating" },
        spec: { containers: [{ name: "c", image: "i", securityContext: { privileged: true } }] },
      });
      operator = await startTestOperator(cluster);
      await fillRecoveryToken(cluster);
    });
    after(async () => {
      await operator?.[Symbol.asyncDispose]();
      await cluster?.[Symbol.asyncDispose]();
    });

    const configuration = () => cluster.api.get(resources.kubeApiServers, operatorKey, cluster.signal);
    const configMap = (key: string) => cluster.api.find(resources.configMaps, inTarget(key), cluster.signal);
    const config = async (): Promise<unknown> =>
      JSON.parse(stringAt(await configMap("config"), "data", "config.yaml") ?? "null");
    const patchSpec = (...steps: readonly JsonPatchStep[]) =>
      cluster.api.jsonPatch(resources.kubeApiServers, operatorKey, steps, cluster.signal);
    // Controllers also write this object, so the write may fail with a conflict.
    const override = (value: unknown) =>
      cluster.eventually(() =>
        cluster.api.mergePatch(
          resources.kubeApiServers,
          operatorKey,
          { spec: { unsupportedConfigOverrides: value } },
          cluster.signal,
        ),
      );
    const eventually = <T>(check: () => Promise<T>) => cluster.eventually(check);

    test("a fresh cluster gets all inputs of a revision", async () => {
      await eventually(async () => {
        assert.deepEqual(conditionIn(await configuration(), "TargetConfigControllerDegraded"), {
          status: "False",
          reason: undefined,
          message: "",
        });
        for (const each of ["config", "kube-apiserver-pod", "client-ca", "kube-apiserver-server-ca"])
          assert.ok(await configMap(each), each);
        for (const each of [
          "trusted-ca-bundle",
          "etcd-serving-ca",
          "sa-token-signing-certs",
          "kubelet-serving-ca",
          "aggregator-client-ca",
          "kube-apiserver-audit-policies",
          "bound-sa-token-signing-certs",
          "kube-apiserver-cert-syncer-kubeconfig",
        ])
          assert.ok(await configMap(each), each);
        for (const each of ["etcd-client", "node-kubeconfigs", "bound-service-account-signing-key"])
          assert.ok(await cluster.api.find(resources.secrets, inTarget(each), cluster.signal), each);
      });
      assert.deepEqual(valueAt(await config(), "apiServerArguments", "etcd-servers"), [
        "https://10.0.0.7:2379",
        "https://10.0.0.8:2379",
        "https://10.0.0.9:2379",
        "https://localhost:2379",
      ]);
      const pod = JSON.parse(stringAt(await configMap("kube-apiserver-pod"), "data", "pod.yaml") ?? "");
      assert.equal(stringAt(pod, "metadata", "labels", "revision"), "REVISION");
    });

    test("a controller waits for its inputs through its watches, without retries", async () => {
      const live = await operator.reconciles("NodeKubeconfigController");
      assert.ok(live >= 1 && live <= 20, `${live} reconciles`);
    });

    test("conditions are those of an operator that is well", async () => {
      await eventually(async () => {
        const live = await configuration();
        for (const [type, status, reason] of [
          ["ConfigObservationDegraded", "False", undefined],
          ["ResourceSyncControllerDegraded", "False", undefined],
          ["KubeAPIServerStaticResourcesDegraded", "False", "AsExpected"],
          ["NodeKubeconfigControllerDegraded", "False", "AsExpected"],
          ["AuditPolicyDegraded", "False", undefined],
          ["WorkerLatencyProfileComplete", "True", "ProfileEmpty"],
          ["WorkerLatencyProfileProgressing", "False", "ProfileEmpty"],
          ["KubeletMinorVersionUpgradeable", "True", "KubeletMinorVersionsSynced"],
          ["CertRotation_AggregatorProxyClientCert_Degraded", "False", undefined],
        ] as const) {
          const found = conditionIn(live, type);
          assert.deepEqual([found.status, found.reason], [status, reason], `${type}: ${found.message}`);
        }
        assert.deepEqual(valueAt(live, "status", "serviceAccountIssuers"), [
          { name: "https://kubernetes.default.svc" },
        ]);
      });
    });

    test("namespaces with violating pods are named and do not make the cluster degraded", async () => {
      await eventually(async () => {
        const type = "PodSecurityUnknownEvaluationConditionsDetected";
        assert.deepEqual(conditionIn(await configuration(), type), {
          status: "True",
          reason: "PSViolationsDetected",
          message: "Violations detected in namespaces: [mine]",
        });
        const key = { name: "kube-apiserver" };
        const status = await cluster.api.get(resources.clusterOperators, key, cluster.signal);
        const detected = conditionIn(status, "EvaluationConditionsDetected");
        assert.deepEqual(
          [detected.status, detected.reason],
          ["True", "PodSecurityUnknown_PSViolationsDetected"],
        );
      });
      const live = await cluster.api.get(resources.namespaces, { name: "mine" }, cluster.signal);
      assert.equal(live.metadata.labels?.["pod-security.kubernetes.io/enforce"], undefined);
    });

    test("the configuration contains the users' settings", async () => {
      await cluster.api.mergePatch(
        resources.apiServers,
        operatorKey,
        { spec: { tlsSecurityProfile: { type: "Modern", modern: {} } } },
        cluster.signal,
      );
      await cluster.put(resources.configImages, {
        metadata: operatorKey,
        status: { internalRegistryHostname: "changed.svc:5000" },
      });
      await eventually(async () => {
        const live = await config();
        assert.equal(stringAt(live, "servingInfo", "minTLSVersion"), "VersionTLS13");
        assert.equal(stringAt(live, "imagePolicyConfig", "internalRegistryHostname"), "changed.svc:5000");
      });
    });

    test("acceptance 5: an override of an argument is all of its list", async () => {
      await override({ apiServerArguments: { "audit-log-format": ["yaml"] }, foo: "bar" });
      await eventually(async () => {
        const live = await config();
        assert.deepEqual(valueAt(live, "apiServerArguments", "audit-log-format"), ["yaml"]);
        // Unsupported fields are removed and reported (acceptance 8).
        assert.equal(valueAt(live, "foo"), undefined);
        const recognized = conditionIn(await configuration(), "ConfigRecognized");
        assert.deepEqual(
          [recognized.status, recognized.reason, recognized.message],
          ["False", "UnknownKeys", "has no effect: unsupportedConfigOverrides: foo"],
        );
        const status = await cluster.api.get(
          resources.clusterOperators,
          { name: "kube-apiserver" },
          cluster.signal,
        );
        const upgradeable = conditionIn(status, "Upgradeable");
        assert.equal(upgradeable.status, "False");
        assert.match(upgradeable.message, /apiServerArguments\.audit-log-format\.0/);
      });
    });

    test("acceptance 7: an override of a different kind is reported, and the configuration is preserved", async () => {
      const before = stringAt(await configMap("config"), "data", "config.yaml");
      await patchSpec({ op: "replace", path: "/spec/unsupportedConfigOverrides", value: { kind: "Other" } });
      await eventually(async () => {
        const { status, reason, message } = conditionIn(
          await configuration(),
          "TargetConfigControllerDegraded",
        );
        assert.deepEqual([status, reason], ["True", "SynchronizationError"]);
        assert.match(
          message,
          /\/Other does not equal kubecontrolplane\.config\.openshift\.io\/v1\/KubeAPIServerConfig/,
        );
      });
      assert.equal(stringAt(await configMap("config"), "data", "config.yaml"), before);
      await override(null);
      await eventually(async () =>
        assert.equal(conditionIn(await configuration(), "TargetConfigControllerDegraded").status, "False"),
      );
    });

    test("acceptance 11: manual changes are reverted", async () => {
      const before = stringAt(await configMap("config"), "data", "config.yaml");
      await cluster.api.mergePatch(
        resources.configMaps,
        inTarget("config"),
        { data: { "config.yaml": "{}", other: "x" } },
        cluster.signal,
      );
      await eventually(async () =>
        assert.deepEqual(valueAt(await configMap("config"), "data"), { "config.yaml": before }),
      );
      await cluster.api.delete(resources.configMaps, inTarget("config"), cluster.signal);
      await eventually(async () =>
        assert.equal(stringAt(await configMap("config"), "data", "config.yaml"), before),
      );
    });

    test("acceptance 19 and 20: a user certificate is copied after its Secret exists, and deleted with its entry", async () => {
      const named = (...namedCertificates: readonly object[]) =>
        cluster.api.mergePatch(
          resources.apiServers,
          operatorKey,
          { spec: { servingCerts: { namedCertificates } } },
          cluster.signal,
        );
      const copy = () =>
        cluster.api.find(resources.secrets, inTarget("user-serving-cert-000"), cluster.signal);
      const count = async () => {
        const list = valueAt(await config(), "servingInfo", "namedCertificates");
        return Array.isArray(list) ? list.length : 0;
      };
      await named({ names: ["api.test.example"], servingCertificate: { name: "mine" } });
      await eventually(async () =>
        assert.match(
          conditionIn(await configuration(), "ConfigObservationDegraded").message,
          /secret "mine" not found/,
        ),
      );
      assert.equal(await count(), 5);
      const data = await servingKeyPair("api.test.example");
      await cluster.put(resources.secrets, {
        metadata: { namespace: namespaces.config, name: "mine" },
        type: "kubernetes.io/tls",
        data,
      });
      await eventually(async () => {
        assert.equal(await count(), 6);
        assert.equal(stringAt(await copy(), "data", "tls.crt"), data["tls.crt"]);
        assert.equal(conditionIn(await configuration(), "ConfigObservationDegraded").status, "False");
      });
      await named({ names: ["api.test.example", ""], servingCertificate: { name: "mine" } });
      await eventually(async () =>
        assert.equal(
          conditionIn(await configuration(), "ConfigObservationDegraded").message,
          "spec.servingCerts.namedCertificates[0].names[1] cannot be empty",
        ),
      );
      assert.equal(await count(), 6);
      await named();
      await eventually(async () => {
        assert.equal(await count(), 5);
        assert.equal(await copy(), undefined);
      });
    });

    test("acceptance 4: with one live etcd member nothing is written", async () => {
      const before = stringAt(await configMap("config"), "data", "config.yaml");
      const endpoints = { namespace: namespaces.etcd, name: "etcd-endpoints" };
      await cluster.api.mergePatch(
        resources.configMaps,
        endpoints,
        { data: { b: null, c: null } },
        cluster.signal,
      );
      await eventually(async () =>
        assert.match(
          conditionIn(await configuration(), "TargetConfigControllerDegraded").message,
          /has less than two live etcd endpoints: \[https:\/\/10\.0\.0\.7:2379\]/,
        ),
      );
      assert.equal(stringAt(await configMap("config"), "data", "config.yaml"), before);
      await cluster.api.mergePatch(
        resources.configMaps,
        endpoints,
        { data: { b: "10.0.0.8" } },
        cluster.signal,
      );
      await eventually(async () =>
        assert.deepEqual(valueAt(await config(), "apiServerArguments", "etcd-servers"), [
          "https://10.0.0.7:2379",
          "https://10.0.0.8:2379",
          "https://localhost:2379",
        ]),
      );
    });

    test("acceptance 26: an issuer that is replaced is trusted for a day", async () => {
      await cluster.api.mergePatch(
        resources.authentications,
        operatorKey,
        { spec: { serviceAccountIssuer: "https://issuer.example" } },
        cluster.signal,
      );
      await eventually(async () =>
        assert.deepEqual(valueAt(await config(), "apiServerArguments", "service-account-issuer"), [
          "https://issuer.example",
          "https://kubernetes.default.svc",
        ]),
      );
    });

    test("acceptance 30: an operator with nothing to do writes nothing", async () => {
      await operator.quiet(500);
      const before = await operator.writes();
      await operator[Symbol.asyncDispose]();
      operator = await startTestOperator(cluster);
      await operator.quiet();
      assert.equal(await operator.writes(), 0, `${before} before`);
    });

    test("alerts of CPU count against the CPUs of a single master", async () => {
      const key = inTarget("cpu-utilization");
      const expressions = async () => {
        const rule = await cluster.api.get(resources.prometheusRules, key, cluster.signal);
        return listAt(rule, "spec", "groups")
          .flatMap((group) => listAt(group, "rules"))
          .map((each) => stringAt(each, "expr") ?? "");
      };
      const topology = (infrastructureTopology: string) =>
        cluster.api.mergePatch(
          resources.infrastructures,
          operatorKey,
          { status: { infrastructureTopology } },
          cluster.signal,
          "status",
        );
      await eventually(async () => assert.equal((await expressions()).length, 3));
      await topology("SingleReplica");
      await eventually(async () =>
        assert.deepEqual(
          (await expressions()).map((each) => / \/ 8 \* 100 > \d+$/.test(each)),
          [true, true],
        ),
      );
      await cluster.put(resources.nodes, {
        metadata: { name: "only", labels: { "node-role.kubernetes.io/master": "" } },
        status: { capacity: { cpu: "16" } },
      });
      await eventually(async () => assert.match((await expressions())[0] ?? "", / \/ 16 \* 100 > 60$/));
      await cluster.api.delete(resources.prometheusRules, key, cluster.signal);
      await eventually(expressions);
      await topology("HighlyAvailable");
      await eventually(async () => assert.equal((await expressions()).length, 3));
    });

    test("on a single master, and where an override asks for it, revisions have a startup monitor", async () => {
      const monitor = async () => {
        const text = stringAt(
          await configMap("kube-apiserver-pod"),
          "data",
          "kube-apiserver-startup-monitor-pod.yaml",
        );
        return text === undefined ? undefined : JSON.parse(text);
      };
      assert.equal(await monitor(), undefined);
      await eventually(() => override({ startupMonitor: true }));
      await eventually(async () =>
        assert.equal(stringAt(await monitor(), "metadata", "name"), "kube-apiserver-startup-monitor"),
      );
      await eventually(() => override(null));
      await eventually(async () => assert.equal(await monitor(), undefined));
      const topology = (controlPlaneTopology: string) =>
        cluster.api.mergePatch(
          resources.infrastructures,
          operatorKey,
          { status: { controlPlaneTopology } },
          cluster.signal,
          "status",
        );
      await topology("SingleReplica");
      await eventually(async () => {
        const [container] = listAt(await monitor(), "spec", "containers");
        assert.ok(listAt(container, "args").includes("--revision=REVISION"));
      });
      await topology("HighlyAvailable");
      await eventually(async () => assert.equal(await monitor(), undefined));
      assert.equal(conditionIn(await configuration(), "StaticPodFallbackRevisionDegraded").status, "False");
      await operator.quiet();
    });

    test("acceptance 22: the CRD rejects management states without reconciliation of API servers", async () => {
      for (const value of ["Unmanaged", "Removed"])
        await assert.rejects(
          patchSpec({ op: "replace", path: "/spec/managementState", value }),
          /managementState/,
        );
      await eventually(() => patchSpec({ op: "replace", path: "/spec/managementState", value: "Force" }));
      await cluster.api.delete(resources.configMaps, inTarget("config"), cluster.signal);
      await eventually(async () => assert.ok(await configMap("config")));
    });
  });
