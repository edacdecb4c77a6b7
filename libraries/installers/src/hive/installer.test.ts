import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { CloudError } from "@keelson/arm";
import { type Clock, isCoded, listAt, Secret, stringAt, systemClock, valueAt } from "@keelson/base";
import { type KubeObject, resources } from "@keelson/kube";
import { type OpenShiftCluster, withProperties } from "@keelson/model";
import { preparedCluster } from "@keelson/model/testing";
import { parse } from "yaml";
import type { InstallContext, ProgressReport } from "../install/install-context.ts";
import { generatedAssets, kubeadminPassword } from "../testing/asset-graph.ts";
import { type HiveCluster, startHiveCluster } from "../testing/hive-cluster.ts";
import { machineKey } from "../testing/machine-key.ts";
import { offlineContext } from "../testing/offline-context.ts";
import { connectedHive, hiveInstaller } from "./installer.ts";
import { logFieldsAnnotation } from "./log-fields.ts";

const signal = AbortSignal.timeout(900_000);
const sshKey = machineKey();

let hive: HiveCluster;
let graph: string;
before(async () => {
  hive = await startHiveCluster(signal);
  const id = { UUID: "33333333-3333-4333-8333-333333333333", InfraID: "demo-x1x2x" };
  graph = JSON.stringify({ ...(await generatedAssets()), "*installconfig.ClusterID": id });
});
after(() => hive?.[Symbol.asyncDispose]());

/** Clock that sleeps only a hundredth of the requested time. */
const hurriedClock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
  sleep: (ms: number, until: AbortSignal) => systemClock.sleep(ms / 100, until),
};

interface Install {
  readonly context: InstallContext;
  readonly namespace: string;
  readonly reports: ProgressReport[];
  readonly installer: ReturnType<typeof hiveInstaller>;
  /** Stores the graph like the installer that Hive runs. */
  storeGraph(text?: string): void;
  deployment(): Promise<KubeObject>;
  secret(name: string): Promise<Record<string, string>>;
  /** Simulates an update by Hive's controllers. */
  patch(spec: object, conditions?: readonly object[]): Promise<void>;
  provision(spec: object): Promise<void>;
}

/** Returns a clock that advances by the requested time of each sleep. The sleep itself lasts only one millisecond. */
function fastClock() {
  let nowMs = 0;
  return {
    now: () => new Date(nowMs),
    monotonicMs: () => nowMs,
    sleep: async (ms: number, until: AbortSignal) => {
      await systemClock.sleep(1, until);
      nowMs += ms;
    },
  };
}

interface StartOptions {
  readonly cluster?: OpenShiftCluster;
  readonly beforeRequest?: () => void;
  readonly clock?: Clock;
  readonly timeoutMs?: number;
}

function start({
  cluster = preparedCluster(sshKey),
  beforeRequest = () => {},
  clock = hurriedClock,
  timeoutMs = 60_000,
}: StartOptions = {}): Install {
  const documentId = randomUUID();
  const namespace = `aro-${documentId}`;
  const reports: ProgressReport[] = [];
  const context = offlineContext({
    cluster,
    signal,
    documentId,
    clock,
    onReport: (each) => reports.push(each),
    beforeRequest,
  });
  let stored: string | undefined;
  const key = { namespace, name: "cluster" };
  const { kube } = hive;
  return {
    context,
    namespace,
    reports,
    installer: hiveInstaller({
      kube,
      pullSecret: new Secret('{"auths":{"registry.example":{"auth":"eA=="}}}'),
      environment: { DOMAIN_NAME: "eastus.example.org", KEYVAULT_PREFIX: "kv" },
      registry: "registry.example",
      readGraph: async () => stored,
      timeoutMs,
    }),
    storeGraph(text = graph) {
      stored = text;
    },
    deployment: () => kube.get(resources.clusterDeployments, key, signal),
    async secret(name) {
      const { data } = await kube.get(resources.secrets, { namespace, name }, signal);
      const entries = Object.entries(data as Record<string, string>);
      return Object.fromEntries(
        entries.map(([each, text]) => [each, Buffer.from(text, "base64").toString()]),
      );
    },
    async patch(spec, conditions = []) {
      await kube.mergePatch(resources.clusterDeployments, key, { spec }, signal);
      await kube.mergePatch(resources.clusterDeployments, key, { status: { conditions } }, signal, "status");
    },
    async provision(spec) {
      await kube.ensure(
        resources.clusterProvisions,
        {
          apiVersion: "hive.openshift.io/v1",
          kind: "ClusterProvision",
          metadata: {
            namespace,
            name: `cluster-${randomUUID().slice(0, 5)}`,
            labels: { "hive.openshift.io/cluster-deployment-name": "cluster" },
          },
          spec,
        },
        signal,
      );
    },
  };
}

/** Starts an install with a fast clock, and waits until the install polls Hive. */
async function startFailingInstall() {
  const clock = fastClock();
  const install = start({ clock, timeoutMs: 3_600_000 });
  const generating = install.installer.generate(install.context).then(
    () => assert.fail("the install did not fail"),
    (error: unknown) => error,
  );
  while (install.reports.length === 0) await systemClock.sleep(1, signal);
  return { clock, install, failure: () => generating };
}

const provisionFailed = (reason: string) => [
  { type: "ProvisionFailed", status: "True", reason, message: "it failed" },
];

describe("an install by Hive", () => {
  test("has all that Hive needs, once, and hands over what its installer has stored", async () => {
    const install = start();
    const { context, installer, namespace, reports } = install;
    const generating = installer.generate(context);
    while (!reports.some(({ activity }) => activity.includes("no controller has observed")))
      await systemClock.sleep(10, signal);
    const found = await install.deployment();
    assert.deepEqual(context.cluster.properties.hiveProfile, { namespace, createdByHive: true });
    assert.deepEqual(found.metadata.labels, {
      "hive.openshift.io/cluster-platform": "azure",
      "hive.openshift.io/cluster-region": "eastus",
      "aro-created-by-Hive": "true",
      "kubernetes.azure.com/managedby": `sub_${context.subscription.id}`,
    });
    const { [logFieldsAnnotation]: fields = "", ...annotations } = found.metadata.annotations ?? {};
    assert.deepEqual(annotations, {
      "hive.openshift.io/infra-disabled": "true",
      "hive.openshift.io/minimal-install-mode": "true",
      "hive.openshift.io/cli-domain-from-installer-image": "true",
    });
    assert.equal(JSON.parse(fields).correlation_id, "c");
    assert.equal(JSON.parse(fields).resource_name, "demo");
    assert.deepEqual(found.spec, {
      baseDomain: "",
      clusterName: "demo",
      installAttemptsLimit: 1,
      manageDNS: false,
      preserveOnDelete: true,
      pullSecretRef: { name: "aro-pullsecret" },
      controlPlaneConfig: {
        apiServerIPOverride: "10.9.0.4",
        apiURLOverride: "api-int.demo.eastus.example.org:6443",
      },
      platform: {
        azure: {
          baseDomainResourceGroupName: context.cluster.properties.clusterProfile.resourceGroupId,
          region: "eastus",
          credentialsSecretRef: { name: "cluster-service-principal-secret" },
        },
      },
      provisioning: {
        installerImageOverride: "registry.example/aro-installer:4.19",
        releaseImage: "registry.example/openshift-release-dev/ocp-release:4.19.24-x86_64",
        installConfigSecretRef: { name: "aro-installconfig" },
        manifestsSecretRef: { name: "cluster-manifests-secret" },
        installerEnv: [
          { name: "ARO_UUID", value: context.documentId },
          ...["ARO_DOMAIN_NAME", "ARO_KEYVAULT_PREFIX"].map((name) => ({
            name,
            valueFrom: { secretKeyRef: { name: "aro-env-secret", key: name } },
          })),
        ],
      },
    });
    const credentials = await install.secret("cluster-service-principal-secret");
    assert.deepEqual(Object.keys(credentials).toSorted(), [
      "99_aro.json",
      "99_sub.json",
      "osServicePrincipal.json",
    ]);
    assert.equal(JSON.parse(credentials["osServicePrincipal.json"] ?? "").clientSecret, "the client secret");
    const { properties } = JSON.parse(credentials["99_aro.json"] ?? "");
    assert.equal(properties.servicePrincipalProfile.clientSecret, "the client secret");
    assert.equal(Buffer.from(properties.sshKey, "base64")[0], 0x30);
    assert.deepEqual(await install.secret("aro-env-secret"), {
      ARO_DOMAIN_NAME: "eastus.example.org",
      ARO_KEYVAULT_PREFIX: "kv",
    });
    const manifests = await install.secret("cluster-manifests-secret");
    assert.equal(parse(manifests["cluster-config-samples.yaml"] ?? "").spec.managementState, "Removed");
    const config = (await install.secret("aro-installconfig"))["install-config.yaml"] ?? "";
    assert.deepEqual(parse(config), { apiVersion: "v1", platform: { azure: { region: "eastus" } } });

    install.storeGraph();
    const state = await generating;
    assert.equal(state.kubeadminPassword, kubeadminPassword);
    // A second process that starts at this step finds that all objects exist.
    const before = (await install.deployment()).metadata.resourceVersion;
    assert.deepEqual(await installer.generate(context), state);
    assert.equal((await install.deployment()).metadata.resourceVersion, before);

    await installer.createMachines(context, state);
    await install.provision({ attempt: 0, stage: "provisioning" });
    assert.equal(await installer.bootstrapComplete(context), false);
    assert.deepEqual(reports.at(-1), { fraction: 0.4, activity: "Hive's installer creates the cluster" });
    await install.patch({ installed: true });
    assert.equal(await installer.bootstrapComplete(context), true);

    await installer.finish(context);
    const left = JSON.parse(
      stringAt(await install.deployment(), "metadata", "annotations", logFieldsAnnotation) ?? "",
    );
    assert.deepEqual(Object.keys(left), [
      "resource_id",
      "subscription_id",
      "resource_group",
      "resource_name",
    ]);
    await installer.finish(context);

    await installer.forget(context);
    const find = () => hive.kube.find(resources.namespaces, { name: namespace }, signal);
    while (await find()) await systemClock.sleep(20, signal);
    await installer.forget(context);
  });

  for (const [name, reason, log, status, body] of [
    [
      "a policy",
      "AzureRequestDisallowedByPolicy",
      'level=error msg=400: DeploymentFailed: : Deployment failed. Details: : : {"code":"InvalidTemplateDeployment","message":"m","details":[{"code":"RequestDisallowedByPolicy","message":"no","target":"vm"}]}',
      400,
      {
        code: "DeploymentFailed",
        message:
          "Deployment failed due to RequestDisallowedByPolicy. Please see details for more information.",
        details: [{ code: "RequestDisallowedByPolicy", message: "no", target: "vm" }],
      },
    ],
    [
      "machines that did not start, with no log",
      "AzureOSProvisioningTimedOut",
      undefined,
      400,
      {
        code: "DeploymentFailed",
        message:
          "Deployment failed due to OSProvisioningTimedOut. The cluster's virtual machines failed to start up in time. Please check your network configuration.",
      },
    ],
    [
      "anything else",
      "UnknownError",
      "log",
      500,
      {
        code: "InternalServerError",
        message: "Deployment failed.",
        details: [{ code: "UnknownError", message: "it failed" }],
      },
    ],
  ] as const) {
    test(`that fails for ${name} is explained to the customer`, async () => {
      const install = start();
      const generating = install.installer.generate(install.context);
      while (install.reports.length === 0) await systemClock.sleep(10, signal);
      await install.provision({ attempt: 0, stage: "failed", installLog: "of an earlier attempt" });
      await install.provision({
        attempt: 1,
        stage: "failed",
        ...(log === undefined ? {} : { installLog: log }),
      });
      await install.patch({}, provisionFailed(reason));
      await assert.rejects(generating, (error) => {
        assert.ok(error instanceof CloudError);
        assert.deepEqual([error.status, error.body], [status, body]);
        assert.ok(isCoded(error.cause, "InstallerFailed") && error.cause.message.includes(reason));
        return true;
      });
    });
  }

  test("keeps the immutable fields of its ClusterDeployment after the configuration changed", async () => {
    const install = start();
    install.storeGraph();
    await install.installer.generate(install.context);
    const begun = await install.deployment();
    const changed = hiveInstaller({
      kube: hive.kube,
      pullSecret: new Secret('{"auths":{"registry.example":{"auth":"eA=="}}}'),
      environment: { DOMAIN_NAME: "westus.example.org", NEW_VARIABLE: "x" },
      registry: "registry2.example",
      installerPullspec: "registry2.example/aro-installer:4.20",
      readGraph: async () => graph,
    });
    const { networkProfile } = install.context.cluster.properties;
    await install.context.update((cluster) =>
      withProperties(cluster, { networkProfile: { ...networkProfile, privateEndpointIp: "10.9.0.5" } }),
    );
    await changed.generate(install.context);
    const continued = await install.deployment();
    assert.deepEqual(valueAt(continued, "spec", "provisioning"), valueAt(begun, "spec", "provisioning"));
    // Hive connects to the address that the cluster has now.
    assert.equal(stringAt(continued, "spec", "controlPlaneConfig", "apiServerIPOverride"), "10.9.0.5");
  });

  test("that Hive refuses fails within a minute with Hive's reason and message", async () => {
    const { clock, install, failure } = await startFailingInstall();
    const message = "install config region does not match ClusterDeployment region";
    await install.patch({}, [
      { type: "RequirementsMet", status: "False", reason: "InstallConfigValidationFailed", message },
    ]);
    const patchedMs = clock.monotonicMs();
    const error = await failure();
    assert.ok(clock.monotonicMs() - patchedMs <= 60_000);
    assert.ok(error instanceof CloudError);
    assert.deepEqual(error.body, {
      code: "InternalServerError",
      message: "Deployment failed.",
      details: [{ code: "InstallConfigValidationFailed", message }],
    });
    // Every process that resumes the step gets the same result.
    await assert.rejects(install.installer.bootstrapComplete(install.context), { message: error.message });
  });

  test("that waits for a Secret reports it and fails after ten minutes", async () => {
    const { clock, install, failure } = await startFailingInstall();
    const startedMs = clock.monotonicMs();
    await install.patch({}, [{ type: "RequirementsMet", status: "Unknown", reason: "Initialized" }]);
    const patchedMs = clock.monotonicMs();
    const error = await failure();
    const endedMs = clock.monotonicMs();
    assert.ok(endedMs - startedMs >= 600_000 && endedMs - patchedMs <= 660_000, `${endedMs - patchedMs} ms`);
    const activity = "Hive waits for the Secrets aro-installconfig and aro-pullsecret";
    assert.deepEqual(install.reports.at(-1), { fraction: 0, activity });
    assert.ok(error instanceof CloudError);
    assert.deepEqual(error.body.details, [{ code: "Initialized", message: `${activity}, for 10 minutes.` }]);
  });

  test("with the graph of a different cluster fails without quoting it", async () => {
    const install = start();
    install.storeGraph(graph.replace("demo-x1x2x", "demo-other"));
    await assert.rejects(
      install.installer.generate(install.context),
      (error) => isCoded(error, "InvalidAssetGraph") && /demo-other, not of demo-x1x2x/.test(error.message),
    );
    const torn = start();
    torn.storeGraph(graph.slice(0, 200));
    await assert.rejects(torn.installer.generate(torn.context), (error) => {
      assert.ok(isCoded(error, "InvalidAssetGraph"));
      return error.message === "the graph of Hive's installer is not a JSON object";
    });
  });

  test("asks Hive for nothing once the lease is lost", async () => {
    const lost = new Error("the lease was lost");
    const beforeRequest = (): void => {
      throw lost;
    };
    const { context, installer } = start({ beforeRequest });
    await assert.rejects(installer.generate(context), lost);
  });
});

describe("an adopted cluster", () => {
  const standing = (change: Partial<OpenShiftCluster["properties"]> = {}): OpenShiftCluster => {
    const cluster = preparedCluster(sshKey);
    return {
      ...cluster,
      properties: { ...cluster.properties, aroServiceKubeconfig: new Secret("kind: Config"), ...change },
    };
  };

  test("is installed, and ready when Hive has reached it", async () => {
    const adopted = start({ cluster: standing() });
    const adoption = connectedHive({ kube: hive.kube, adoptsClusters: true });
    await adoption.adopt(adopted.context);
    const found = await adopted.deployment();
    assert.equal(valueAt(found, "spec", "installed"), true);
    assert.deepEqual(valueAt(found, "spec", "clusterMetadata"), {
      adminKubeconfigSecretRef: { name: "aro-service-kubeconfig-secret" },
      clusterID: adopted.context.documentId,
      infraID: "demo-x1x2x",
    });
    assert.equal((await adopted.secret("aro-service-kubeconfig-secret")).kubeconfig, "kind: Config");
    assert.deepEqual(adopted.context.cluster.properties.hiveProfile, { namespace: adopted.namespace });
    const fields = stringAt(found, "metadata", "annotations", logFieldsAnnotation) ?? "";
    assert.ok(fields.includes("resource_id") && !fields.includes("correlation_id"), fields);
    assert.equal(await adoption.isReady(adopted.context), false);
    const reached = [
      { type: "Provisioned", status: "True" },
      { type: "Unreachable", status: "False" },
    ];
    await adopted.patch({}, [{ type: "Unreachable", status: "True" }]);
    assert.equal(await adoption.isReady(adopted.context), false);
    await adopted.patch({}, reached);
    assert.equal(await adoption.isReady(adopted.context), true);
    // The adoption is repeated with a different secret.
    await adopted.context.update((cluster) => ({
      ...cluster,
      properties: {
        ...cluster.properties,
        servicePrincipalProfile: { clientId: "c", clientSecret: new Secret("different secret") },
      },
    }));
    await adoption.adopt(adopted.context);
    const { "osServicePrincipal.json": text = "" } = await adopted.secret("cluster-service-principal-secret");
    assert.equal(JSON.parse(text).clientSecret, "different secret");
    assert.equal(listAt(await adopted.deployment(), "status", "conditions").length, 2);

    await adoption.forget(adopted.context);
    const find = () => hive.kube.find(resources.namespaces, { name: adopted.namespace }, signal);
    while (await find()) await systemClock.sleep(20, signal);
    await adoption.forget(adopted.context);
  });

  test("that Hive has made itself only gets what has changed", async () => {
    const own = start({ cluster: standing() });
    own.storeGraph();
    await own.installer.generate(own.context);
    await own.patch({ installed: true, clusterMetadata: { infraID: "demo-x1x2x", clusterID: "its own" } });
    await connectedHive({ kube: hive.kube, adoptsClusters: true }).adopt(own.context);
    const found = await own.deployment();
    assert.equal(valueAt(found, "spec", "clusterMetadata", "clusterID"), "its own");
    assert.equal(
      await hive.kube.find(
        resources.secrets,
        { namespace: own.namespace, name: "aro-service-kubeconfig-secret" },
        signal,
      ),
      undefined,
    );
  });
});
