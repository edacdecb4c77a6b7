import assert from "node:assert/strict";
import { test } from "node:test";
import { listAt, valueAt } from "@keelson/base";
import { configText, operandConfig } from "./operand-config.ts";

const plugins = (overrides: object) =>
  listAt(operandConfig(overrides).config, "apiServerArguments", "enable-admission-plugins");

test("acceptance 6: a plugin of an override joins those of the defaults and of observers", () => {
  const observed = {
    apiServerArguments: {
      "enable-admission-plugins": [
        "authorization.openshift.io/RestrictSubjectBindings",
        "authorization.openshift.io/ValidateRoleBindingRestriction",
      ],
    },
  };
  const overrides = { apiServerArguments: { "enable-admission-plugins": ["Foo", "ServiceAccount"] } };
  const enabled = plugins({ observed, overrides });
  assert.equal(enabled.length, 43 + 2 + 1);
  assert.deepEqual(enabled, [...new Set(enabled)].toSorted());
  assert.ok(enabled.includes("Foo"));
});

test("acceptance 5: an override of an argument replaces its list", () => {
  const { config } = operandConfig({
    overrides: { apiServerArguments: { "audit-log-format": ["yaml"] } },
  });
  assert.deepEqual(valueAt(config, "apiServerArguments", "audit-log-format"), ["yaml"]);
});

test("acceptance 7: an override of a different kind is rejected", () => {
  assert.throws(
    () => operandConfig({ overrides: { kind: "Other" } }),
    /\/Other does not equal kubecontrolplane\.config\.openshift\.io\/v1\/KubeAPIServerConfig/,
  );
});

test("acceptance 8: unsupported fields are removed and reported", () => {
  const { config, unknown } = operandConfig({
    observed: {
      targetconfigcontroller: { proxy: { NO_PROXY: "x" } },
      gracefulTerminationDuration: "15",
      imagePolicyConfig: { internalRegistryHostname: "r:5000", allowedRegistriesForImport: [{}] },
    },
    overrides: { foo: "bar" },
  });
  assert.equal(config.foo, undefined);
  assert.equal(config.targetconfigcontroller, undefined);
  assert.deepEqual(config.imagePolicyConfig, { internalRegistryHostname: "r:5000" });
  assert.deepEqual(unknown.toSorted(), [
    "foo",
    "gracefulTerminationDuration",
    "imagePolicyConfig.allowedRegistriesForImport",
    "targetconfigcontroller",
  ]);
});

test("a value that the API server cannot decode is rejected with its path", () => {
  const overrides = { apiServerArguments: { "etcd-servers": "https://10.0.0.1:2379" } };
  assert.throws(() => operandConfig({ overrides }), {
    message: "apiServerArguments.etcd-servers must be a list",
  });
});

test("an invalid list of plugins is rejected", () => {
  const overrides = { apiServerArguments: { "enable-admission-plugins": [1] } };
  assert.throws(() => operandConfig({ overrides }), /expected a list of strings/);
});

test("equal configurations have the same JSON in any property order", () => {
  assert.equal(
    configText({ b: 1, a: { d: 1, c: [{ y: 1, x: 2 }] } }),
    configText({ a: { c: [{ x: 2, y: 1 }], d: 1 }, b: 1 }),
  );
});

test("without observed values the defaults apply, including the order of authorizers", () => {
  const { config } = operandConfig({});
  assert.deepEqual(valueAt(config, "apiServerArguments", "authorization-mode"), [
    "Scope",
    "SystemMasters",
    "RBAC",
    "Node",
  ]);
  assert.equal(valueAt(config, "servingInfo", "namedCertificates"), undefined);
  const expected: Readonly<Record<string, string>> = {
    "audit-log-maxsize": "200",
    "etcd-prefix": "kubernetes.io",
    "event-ttl": "3h",
    "goaway-chance": "0.001",
    "max-requests-inflight": "3000",
    "min-request-timeout": "3600",
    "service-node-port-range": "30000-32767",
    "shutdown-delay-duration": "70s",
    "strict-transport-security-directives": "max-age=31536000,includeSubDomains,preload",
  };
  for (const [name, value] of Object.entries(expected))
    assert.deepEqual(valueAt(config, "apiServerArguments", name), [value], name);
});
