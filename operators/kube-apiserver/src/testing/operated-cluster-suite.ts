import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { createCertificateAuthority, issueCertificate, listAt, stringAt, valueAt } from "@keelson/base";
import { type KubeClient, resources } from "@keelson/kube";
import { operatorKey } from "@keelson/operator-kit";
import { namespaces } from "../config/namespaces.ts";
import { assertHealthy } from "./cluster-operator-health.ts";
import { OperatedCluster } from "./operated-cluster.ts";
import { RolloutProber } from "./rollout-prober.ts";
import { conditionIn, inTarget } from "./test-operator.ts";

/** Change that the operator rolls out to all masters. */
export type RolledOutChange =
  | "the hostname of the internal registry"
  | "the TLS profile"
  | "a member of etcd"
  | "an unsupported override"
  | "the type of encryption";

/** Defines the tests of the operator on a simulated cluster. `rolledOut` must contain the change "an unsupported override". */
export function describeOperatedCluster(rolledOut: readonly RolledOutChange[]): void {
  describe("the operator on a simulated cluster", { timeout: 900_000 }, () => {
    let cluster: OperatedCluster;
    let client: KubeClient;
    let prober: RolloutProber;

    before(async () => {
      cluster = await OperatedCluster.start();
      await cluster.startOperator();
      client = await cluster.connectClient();
    });
    after(async () => {
      await prober?.[Symbol.asyncDispose]();
      await client?.[Symbol.asyncDispose]();
      await cluster?.[Symbol.asyncDispose]();
    });

    /**
     * Waits until no rollout is in progress and all masters run one revision that is newer than `before`. Returns this revision.
     */
    const finishedRollout = (before: number) =>
      cluster.eventually(async () => {
        const revision = await cluster.latestRevision();
        assert.ok(revision > before, `the latest revision is ${revision}`);
        assert.deepEqual(await cluster.nodeRevisions(), Array(3).fill([revision, 0]));
        return revision;
      });
    /** Waits until all masters run the latest revision. On a busy machine, an earlier rollout may still be in progress. */
    const settledRevision = () => finishedRollout(0);
    const config = async (revision: number): Promise<unknown> => {
      const found = await cluster.admin.get(
        resources.configMaps,
        inTarget(`config-${revision}`),
        cluster.signal,
      );
      return JSON.parse(stringAt(found, "data", "config.yaml") ?? "null");
    };
    const override = (unsupportedConfigOverrides: object | null) =>
      cluster.admin.mergePatch(
        resources.kubeApiServers,
        operatorKey,
        { spec: { unsupportedConfigOverrides } },
        cluster.signal,
      );
    const events = async (namespace: string, reason: string): Promise<readonly string[]> => {
      const { items } = await cluster.admin.list(resources.events, { namespace }, cluster.signal);
      return items
        .filter((each) => stringAt(each, "reason") === reason)
        .map((each) => stringAt(each, "message") ?? "");
    };
    /**
     * Verifies the probe results of one rollout. At least two API servers must have been ready at all times, and no probe may
     * have failed.
     */
    function requireService(): void {
      const { counts, failures } = prober;
      assert.ok(counts.length > 0);
      assert.ok(Math.min(...counts) >= 2, `so many API servers were ready: ${counts.join(" ")}`);
      assert.ok(counts.includes(2), "none was replaced");
      assert.equal(failures, 0, "probes that failed");
    }

    test("takes over the cluster with one rollout and reports that it is available", async () => {
      const revision = await finishedRollout(1);
      await cluster.eventually(async () => {
        const status = await cluster.admin.get(
          resources.clusterOperators,
          { name: "kube-apiserver" },
          cluster.signal,
        );
        assertHealthy(status);
      });
      assert.ok(revision <= 4, `${revision} revisions`);
      const [first = ""] = await events(namespaces.operator, "StartingNewRevision");
      // The masters were installed with revision 1, so the operator's first revision is 2, as with OpenShift's Go operator.
      assert.equal(first, 'new revision 2 triggered by "configmap \\"kube-apiserver-pod-1\\" not found"');
      prober = new RolloutProber(client);
    });

    const changes: readonly {
      readonly name: RolledOutChange;
      readonly make: () => Promise<unknown>;
      readonly path: readonly string[];
      readonly value: unknown;
    }[] = [
      {
        name: "the hostname of the internal registry",
        make: () =>
          cluster.admin.mergePatch(
            resources.configImages,
            operatorKey,
            { status: { internalRegistryHostname: "changed.svc:5000" } },
            cluster.signal,
            "status",
          ),
        path: ["imagePolicyConfig", "internalRegistryHostname"],
        value: "changed.svc:5000",
      },
      {
        name: "the TLS profile",
        make: () =>
          cluster.admin.mergePatch(
            resources.apiServers,
            operatorKey,
            { spec: { tlsSecurityProfile: { type: "Modern", modern: {} } } },
            cluster.signal,
          ),
        path: ["servingInfo", "minTLSVersion"],
        value: "VersionTLS13",
      },
      {
        name: "a member of etcd",
        make: async () => {
          const metadata = {
            annotations: { "simulation.keelson.io/management-state": "Unmanaged" },
          };
          await cluster.admin.mergePatch(
            resources.clusterOperators,
            { name: "etcd" },
            { metadata },
            cluster.signal,
          );
          await cluster.admin.mergePatch(
            resources.configMaps,
            { namespace: namespaces.etcd, name: "etcd-endpoints" },
            { data: { another: "10.0.0.250" } },
            cluster.signal,
          );
        },
        path: ["apiServerArguments", "etcd-servers"],
        value: "https://10.0.0.250:2379",
      },
      {
        name: "an unsupported override",
        make: () => override({ apiServerArguments: { "audit-log-maxbackup": ["3"] } }),
        path: ["apiServerArguments", "audit-log-maxbackup"],
        value: "3",
      },
    ];
    for (const { name, make, path, value } of changes.filter((each) => rolledOut.includes(each.name)))
      test(`rolls out ${name} over three masters, one at a time, two of them always ready`, async () => {
        const before = await settledRevision();
        prober.restart();
        await make();
        const revision = await finishedRollout(before);
        assert.equal(revision, before + 1);
        const found = valueAt(await config(revision), ...path);
        assert.ok(found === value || (Array.isArray(found) && found.includes(value)), JSON.stringify(found));
        requireService();
        await cluster.eventually(async () => {
          const triggered = await events(namespaces.operator, "RevisionTriggered");
          assert.ok(triggered.some((each) => each.includes(`new revision ${revision} triggered by`)));
        });
      });

    test("is not upgradeable while there are overrides", async () => {
      const found = conditionIn(await cluster.configuration(), "UnsupportedConfigOverridesUpgradeable");
      assert.deepEqual(
        [found.status, found.message],
        ["False", "setting: [apiServerArguments.audit-log-maxbackup.0]"],
      );
    });

    test("brings a user's serving certificate by a revision, and each renewal of it without one", async () => {
      const authority = await createCertificateAuthority("user", 1);
      const secret = { namespace: namespaces.config, name: "own-certificate" };
      const renew = async () => {
        const { certificatePem, privateKeyPem } = await issueCertificate(authority, {
          commonName: "api.example.com",
          dnsNames: ["api.example.com"],
          usage: "server",
          validDays: 1,
        });
        const base64 = (text: string) => Buffer.from(text).toString("base64");
        const data = { "tls.crt": base64(certificatePem), "tls.key": base64(privateKeyPem) };
        const object = {
          apiVersion: "v1",
          kind: "Secret",
          metadata: secret,
          type: "kubernetes.io/tls",
          data,
        };
        await cluster.admin.ensure(resources.secrets, object, cluster.signal);
      };
      const written = async () =>
        (await cluster.admin.list(resources.events, { namespace: namespaces.target }, cluster.signal)).items
          .filter(
            (each) =>
              stringAt(each, "message") ===
              `Wrote updated secret: ${namespaces.target}/user-serving-cert-000`,
          )
          .reduce((sum, each) => sum + Number(valueAt(each, "count") ?? 1), 0);
      await renew();
      const before = await settledRevision();
      prober.restart();
      const servingCerts = {
        namedCertificates: [{ names: ["api.example.com"], servingCertificate: { name: secret.name } }],
      };
      await cluster.admin.mergePatch(
        resources.apiServers,
        operatorKey,
        { spec: { servingCerts } },
        cluster.signal,
      );
      const revision = await finishedRollout(before);
      assert.equal(revision, before + 1);
      requireService();
      const certificates = listAt(await config(revision), "servingInfo", "namedCertificates");
      assert.equal(
        stringAt(certificates.at(-1), "certFile"),
        "/etc/kubernetes/static-pod-certs/secrets/user-serving-cert-000/tls.crt",
      );
      const already = await written();
      await renew();
      await cluster.eventually(async () => assert.ok((await written()) >= already + 3));
      assert.equal(await cluster.latestRevision(), revision);
    });

    test("stops at the first master with an invalid configuration and continues once it is fixed", async () => {
      const before = await settledRevision();
      prober.restart();
      await override({ apiServerArguments: { "no-such-argument": ["x"] } });
      await cluster.eventually(async () => {
        const live = await cluster.configuration();
        const { status, reason, message } = conditionIn(live, "StaticPodsDegraded");
        assert.deepEqual([status, reason], ["True", "Error"], message);
        assert.match(message, /container "kube-apiserver" is (waiting: CrashLoopBackOff|terminated: Error)/);
        assert.match(message, /unknown flag: --no-such-argument|back-off/);
      });
      const revisions = await cluster.nodeRevisions();
      assert.equal(revisions.filter(([current, target]) => current === before && target === 0).length, 2);
      assert.equal(conditionIn(await cluster.configuration(), "NodeInstallerProgressing").status, "True");
      await override(null);
      const revision = await finishedRollout(before);
      assert.ok(revision >= before + 2);
      requireService();
      await cluster.eventually(async () =>
        assert.equal(conditionIn(await cluster.configuration(), "StaticPodsDegraded").status, "False"),
      );
    });

    test("resumes a rollout that a previous operator and an installer left unfinished", async () => {
      const before = await settledRevision();
      prober.restart();
      await cluster.admin.mergePatch(
        resources.kubeApiServers,
        operatorKey,
        { spec: { forceRedeploymentReason: "in the middle" } },
        cluster.signal,
      );
      const installers = async () =>
        (
          await cluster.admin.list(
            resources.pods,
            { namespace: namespaces.target, labelSelector: "app=installer" },
            cluster.signal,
          )
        ).items.filter(({ metadata }) => metadata.name.startsWith(`installer-${before + 1}-`));
      const [first] = await cluster.eventually(async () => {
        const found = await installers();
        assert.ok(found.length > 0);
        return found;
      });
      await cluster.stopOperator();
      const { name = "" } = first?.metadata ?? {};
      await cluster.admin.delete(resources.pods, inTarget(name), cluster.signal, { gracePeriodSeconds: 0 });
      await cluster.startOperator();
      assert.equal(await finishedRollout(before), before + 1);
      requireService();
    });

    if (rolledOut.includes("the type of encryption"))
      test("encrypts what is stored: the key is everywhere before anything is written with it", async () => {
        const before = await settledRevision();
        await cluster.admin.mergePatch(
          resources.apiServers,
          operatorKey,
          { spec: { encryption: { type: "aescbc" } } },
          cluster.signal,
        );
        await cluster.eventually(async () => {
          const { status, reason, message } = conditionIn(await cluster.configuration(), "Encrypted");
          assert.deepEqual([status, reason], ["True", "EncryptionCompleted"], message);
        });
        assert.ok(
          (await finishedRollout(before)) >= before + 2,
          "a revision to read with, one to write with",
        );
      });
  });
}
