import assert from "node:assert/strict";
import { test } from "node:test";
import type { SparseConfig } from "@keelson/operator-kit";
import { configObject, dataObject, observe } from "../testing/observe.ts";
import { observeAllowedRegistries } from "./allowed-registries.ts";
import { authorizationModeObserver } from "./authorization-mode.ts";
import { removeCloudConfig } from "./cloud-config.ts";
import { observeDefaultNodeSelector } from "./default-node-selector.ts";
import { observeEncryptionConfig } from "./encryption-config.ts";
import { eventTtlObserver } from "./event-ttl.ts";
import { observeExternalRegistryHostnames } from "./external-registry-hostnames.ts";
import { featureGatesObserver } from "./feature-gates.ts";
import { observeInternalRegistryHostname } from "./internal-registry-hostname.ts";
import { observeLatencyProfile } from "./latency-profile.ts";
import { minimumKubeletVersionObserver } from "./minimum-kubelet-version.ts";
import { podSecurityObserver } from "./pod-security.ts";
import { observeProxy } from "./proxy.ts";
import { observeServiceAccountIssuer } from "./service-account-issuer.ts";

const version = "4.19.0";
const gates = (...enabled: readonly string[]) =>
  configObject("FeatureGate", {
    status: {
      featureGates: [{ version, enabled: enabled.map((name) => ({ name })), disabled: [{ name: "Off" }] }],
    },
  });
const args = (values: object) => ({ apiServerArguments: values });
const operator = (spec: object, status: object = {}) => configObject("KubeAPIServer", { spec, status });
const reasons = ({ events }: ReturnType<typeof observe>) => events.map(({ reason }) => reason);

test("the time to live of Events is set where the gate is on", () => {
  const observer = eventTtlObserver(version);
  const on = gates("EventTTL");
  assert.deepEqual(
    observe(observer, [on, operator({ eventTTLMinutes: 30 })]).config,
    args({ "event-ttl": ["30m"] }),
  );
  const before = args({ "event-ttl": ["5m"] });
  assert.deepEqual(observe(observer, [on, operator({ eventTTLMinutes: 0 })], before).config, {});
  assert.deepEqual(observe(observer, [gates(), operator({ eventTTLMinutes: 30 })], before).config, {});
  const endless = observe(observer, [on, operator({ eventTTLMinutes: 2_147_483_647 })], before);
  assert.deepEqual(endless.config, before);
  assert.deepEqual(endless.errors, ["spec.eventTTLMinutes: 2147483647 is more than 153722867"]);
  assert.deepEqual(observe(observer, [operator({})], before).config, before);
});

test("all known feature gates are observed, those of a different version change nothing", () => {
  const observer = featureGatesObserver(version);
  const observed = observe(observer, [gates("B", "A")]);
  const expected = args({ "feature-gates": ["A=true", "B=true", "Off=false"] });
  assert.deepEqual(observed.config, expected);
  assert.deepEqual(reasons(observed), ["ObserveFeatureFlagsUpdated"]);
  assert.deepEqual(observe(observer, [gates("A", "B")], expected).events, []);
  const other = observe(featureGatesObserver("5.0.0"), [gates("A")], expected);
  assert.deepEqual(other.config, expected);
  assert.match(other.errors.join(), /missing desired version "5\.0\.0"/);
});

test("pods of namespaces without labels are restricted where the gate is on", () => {
  const enforced = (objects: Parameters<typeof observe>[1]) =>
    JSON.stringify(observe(podSecurityObserver(version), objects).config).match(/"enforce":"(\w+)"/)?.[1];
  assert.equal(enforced([gates("OpenShiftPodSecurityAdmission")]), "restricted");
  assert.equal(enforced([gates()]), "privileged");
});

test("kubelet versions are checked before nodes are authorized", () => {
  const modes = (...enabled: readonly string[]) =>
    observe(authorizationModeObserver(version), [gates(...enabled)]).config;
  assert.deepEqual(modes(), args({ "authorization-mode": ["Scope", "SystemMasters", "RBAC", "Node"] }));
  assert.deepEqual(
    modes("MinimumKubeletVersion"),
    args({ "authorization-mode": ["Scope", "SystemMasters", "RBAC", "MinimumKubeletVersion", "Node"] }),
  );
  const node = configObject("Node", { spec: { minimumKubeletVersion: "1.30.0" } });
  const observer = minimumKubeletVersionObserver(version);
  assert.deepEqual(observe(observer, [gates("MinimumKubeletVersion"), node]).config, {
    minimumKubeletVersion: "1.30.0",
  });
  assert.deepEqual(observe(observer, [gates(), node]).config, {});
});

const issuer = (...names: readonly string[]) =>
  operator(
    {},
    {
      serviceAccountIssuers: names.map((name, index) => ({
        name,
        ...(index === 0 ? {} : { expirationTime: "2030-01-01T00:00:00Z" }),
      })),
    },
  );
const infrastructure = configObject("Infrastructure", { status: { apiServerURL: "https://api:6443" } });
const issuers = (keys: string | undefined, ...names: readonly string[]) =>
  args({
    "service-account-issuer": names,
    "api-audiences": names,
    ...(keys === undefined ? {} : { "service-account-jwks-uri": [`${keys}/openid/v1/jwks`] }),
  });
const standard = "https://kubernetes.default.svc";

test("the default issuer's keys are at the API server's address; unknown, nothing changes", () => {
  const expected = issuers("https://api:6443", standard);
  assert.deepEqual(observe(observeServiceAccountIssuer, [operator({}), infrastructure]).config, expected);
  assert.deepEqual(observe(observeServiceAccountIssuer, [issuer(standard), infrastructure]).config, expected);
  const unknown = observe(
    observeServiceAccountIssuer,
    [operator({}), configObject("Infrastructure", {})],
    expected,
  );
  assert.deepEqual(unknown.config, expected);
  assert.deepEqual(unknown.errors, ["APIServerURL missing from infrastructure/cluster"]);
  assert.deepEqual(
    observe(observeServiceAccountIssuer, [operator({}), configObject("Infrastructure", {})]).config,
    {},
  );
});

test("acceptance 26: trusted issuers follow the active one, and its keys are its own", () => {
  const before = issuers("https://api:6443", standard);
  const observed = observe(observeServiceAccountIssuer, [issuer("https://mine", standard)], before);
  assert.deepEqual(observed.config, issuers("https://mine", "https://mine", standard));
  assert.deepEqual(reasons(observed), ["ObserveServiceAccountIssuer"]);
  assert.deepEqual(
    observe(observeServiceAccountIssuer, [issuer("plain")]).config,
    issuers(undefined, "plain"),
  );
  assert.deepEqual(observe(observeServiceAccountIssuer, [issuer("::")], before).config, before);
});

test("invalid trusted issuers keep the previous ones, duplicates are passed once", () => {
  const before = issuers("https://api:6443", standard);
  for (const trusted of ["", "::"]) {
    const observed = observe(observeServiceAccountIssuer, [issuer("https://mine", trusted)], before);
    assert.deepEqual(observed.config, before);
    assert.match(observed.errors.join(), /^service-account issuer /);
  }
  assert.deepEqual(
    observe(observeServiceAccountIssuer, [issuer("https://mine", standard, "https://mine", standard)]).config,
    issuers("https://mine", "https://mine", standard),
  );
});

test("API servers that encrypt never lose their keys", () => {
  const file = "/etc/kubernetes/static-pod-resources/secrets/encryption-config/encryption-config";
  const configured = args({ "encryption-provider-config": [file] });
  const secret = (data: object) =>
    dataObject("Secret", "openshift-kube-apiserver/encryption-config", { data });
  const first = observe(observeEncryptionConfig, [secret({ "encryption-config": "eA==" })]);
  assert.deepEqual(first.config, configured);
  assert.deepEqual(reasons(first), ["ObserveEncryptionConfigChanged"]);
  const gone = observe(observeEncryptionConfig, [], configured);
  assert.deepEqual(gone.config, configured);
  assert.deepEqual(reasons(gone), ["ObserveEncryptionConfigNotFound"]);
  const empty = observe(observeEncryptionConfig, [secret({})], configured);
  assert.deepEqual(empty.config, configured);
  assert.deepEqual(reasons(empty), ["ObserveEncryptionConfigNoData"]);
  assert.deepEqual(observe(observeEncryptionConfig, []), {
    config: {},
    errors: [],
    copies: undefined,
    events: [],
  });
});

test("the cloud's configuration is deleted", () => {
  assert.deepEqual(observe(removeCloudConfig, []).copies, ["cloud-config<-"]);
});

test("tolerations follow the profile after all API servers run with the previous one", () => {
  const tolerations = (seconds: string): SparseConfig =>
    args({
      "default-not-ready-toleration-seconds": [seconds],
      "default-unreachable-toleration-seconds": [seconds],
    });
  const node = (workerLatencyProfile?: string) => configObject("Node", { spec: { workerLatencyProfile } });
  const running = (config: SparseConfig, revision = 3) => [
    operator({}, { nodeStatuses: [{ currentRevision: 3 }, { currentRevision: 0 }] }),
    dataObject("ConfigMap", `openshift-kube-apiserver/config-${revision}`, {
      data: { "config.yaml": JSON.stringify(config) },
    }),
  ];
  const result = (objects: Parameters<typeof observe>[1], existing: SparseConfig = {}) =>
    observe(observeLatencyProfile, objects, existing).config;
  assert.deepEqual(result([node("Default")]), tolerations("300"));
  assert.deepEqual(result([node("LowUpdateSlowReaction"), ...running({})]), tolerations("60"));
  const before = tolerations("60");
  assert.deepEqual(result([node("Default"), ...running({})], before), before);
  assert.deepEqual(result([node("Default"), ...running(before)], before), tolerations("300"));
  assert.deepEqual(result([node("Default"), ...running(before, 2)], before), before);
  assert.deepEqual(result([node(), ...running(before)], before), {});
  assert.deepEqual(result([node("Unheard")], before), before);
  assert.deepEqual(result([], before), before);
});

test("a proxy is for the pod's environment, its values in no Event", () => {
  const proxy = configObject("Proxy", {
    status: { noProxy: ".svc", httpsProxy: "http://user:secret@proxy" },
  });
  const observed = observe(observeProxy, [proxy]);
  assert.deepEqual(observed.config, {
    targetconfigcontroller: { proxy: { NO_PROXY: ".svc", HTTPS_PROXY: "http://user:secret@proxy" } },
  });
  assert.doesNotMatch(JSON.stringify(observed.events), /secret/);
  assert.deepEqual(observe(observeProxy, [proxy], observed.config).events, []);
  assert.deepEqual(observe(observeProxy, [], observed.config).config, {});
});

test("registries are those of the Image, each reported when it changes", () => {
  const image = configObject("Image", {
    spec: { externalRegistryHostnames: ["spec"], allowedRegistriesForImport: [{ domainName: "d" }] },
    status: { internalRegistryHostname: "registry:5000", externalRegistryHostnames: ["status"] },
  });
  const internal = observe(observeInternalRegistryHostname, [image]);
  assert.deepEqual(internal.config, { imagePolicyConfig: { internalRegistryHostname: "registry:5000" } });
  assert.equal(internal.events[0]?.message, 'Internal registry hostname changed to "registry:5000"');
  const external = observe(observeExternalRegistryHostnames, [image]);
  assert.deepEqual(external.config, { imagePolicyConfig: { externalRegistryHostnames: ["spec", "status"] } });
  assert.deepEqual(reasons(external), ["ObserveExternalRegistryHostnameChanged"]);
  const allowed = observe(observeAllowedRegistries, [image]);
  assert.deepEqual(allowed.config, {
    imagePolicyConfig: { allowedRegistriesForImport: [{ domainName: "d" }] },
  });
  assert.deepEqual(reasons(allowed), ["ObserveAllowedRegistriesForImport"]);
  for (const observer of [
    observeInternalRegistryHostname,
    observeExternalRegistryHostnames,
    observeAllowedRegistries,
  ])
    assert.deepEqual(observe(observer, []).config, {});
});

test("the default node selector is the Scheduler's", () => {
  const scheduler = configObject("Scheduler", { spec: { defaultNodeSelector: "a=b" } });
  const observed = observe(observeDefaultNodeSelector, [scheduler]);
  assert.deepEqual(observed.config, { projectConfig: { defaultNodeSelector: "a=b" } });
  assert.deepEqual(reasons(observed), ["ObserveDefaultNodeSelectorChanged"]);
  assert.deepEqual(observe(observeDefaultNodeSelector, [], observed.config).config, {});
});
