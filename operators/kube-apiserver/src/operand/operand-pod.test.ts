import assert from "node:assert/strict";
import { test } from "node:test";
import { listAt, stringAt, valueAt } from "@keelson/base";
import { operandPod } from "./operand-pod.ts";
import { operandSettings } from "./operand-settings.ts";
import { startupMonitorPod } from "./startup-monitor-pod.ts";

const images = { operand: "hyperkube:1", operator: "operator:1", version: "4.19.0" };
const podFor = (spec: Parameters<typeof operandSettings>[0]) => operandPod(images, operandSettings(spec));
const container = (pod: unknown, name: string) =>
  [...listAt(pod, "spec", "initContainers"), ...listAt(pod, "spec", "containers")].find(
    (each) => stringAt(each, "name") === name,
  );
const script = (pod: unknown) => String(listAt(container(pod, "kube-apiserver"), "args")[0]);

test("without anything observed the pod has the defaults", () => {
  const pod = podFor({});
  assert.equal(valueAt(pod, "spec", "terminationGracePeriodSeconds"), 135);
  assert.equal(listAt(container(pod, "setup"), "command")[1], "220");
  assert.match(script(pod), /--graceful-termination-duration=135s/);
  assert.match(script(pod), / -v=2 --permit-address-sharing\n$/);
  assert.ok(listAt(container(pod, "kube-apiserver"), "env").some((each) => valueAt(each, "value") === "100"));
});

test("the log level is the verbosity of the API server", () => {
  for (const [logLevel, verbosity] of [
    ["Debug", 4],
    ["Trace", 6],
    ["TraceAll", 10],
    ["Loud", 2],
  ] as const)
    assert.match(script(podFor({ logLevel })), new RegExp(` -v=${verbosity} `));
});

test("overrides take precedence over observed values, and the heap limit is between 63 and 100", () => {
  const pod = podFor({
    observedConfig: { gracefulTerminationDuration: "194" },
    unsupportedConfigOverrides: { gracefulTerminationDuration: "15", garbageCollectionTargetPercentage: "5" },
  });
  assert.equal(valueAt(pod, "spec", "terminationGracePeriodSeconds"), 15);
  assert.ok(listAt(container(pod, "kube-apiserver"), "env").some((each) => valueAt(each, "value") === "63"));
});

test("a proxy is in the environment of every container, sorted", () => {
  const proxy = { NO_PROXY: "n", HTTPS_PROXY: "s" };
  const pod = podFor({ observedConfig: { targetconfigcontroller: { proxy } } });
  for (const each of listAt(pod, "spec", "containers"))
    assert.deepEqual(
      listAt(each, "env")
        .slice(-2)
        .map((variable) => stringAt(variable, "name")),
      ["HTTPS_PROXY", "NO_PROXY"],
    );
});

test("containers that read the node's files run as root, independent of the image's user", () => {
  const users = listAt(podFor({}), "spec", "containers").map((each) => [
    stringAt(each, "name"),
    valueAt(each, "securityContext", "runAsUser"),
  ]);
  assert.deepEqual(Object.fromEntries(users), {
    "kube-apiserver": undefined,
    "kube-apiserver-cert-syncer": 0,
    "kube-apiserver-cert-regeneration-controller": 0,
    "kube-apiserver-insecure-readyz": undefined,
    "kube-apiserver-check-endpoints": 0,
  });
  const monitor = startupMonitorPod(images, {});
  assert.equal(valueAt(listAt(monitor, "spec", "containers")[0], "securityContext", "runAsUser"), 0);
});

test("check-endpoints listens on IPv6 where only that is served", () => {
  const pod = podFor({ observedConfig: { servingInfo: { bindNetwork: "tcp6" } } });
  assert.ok(listAt(container(pod, "kube-apiserver-check-endpoints"), "args").includes("[::]:17697"));
});

test("values that are not numbers are rejected with their names", () => {
  for (const value of ["off", 15, "1e3"])
    assert.throws(
      () => podFor({ unsupportedConfigOverrides: { garbageCollectionTargetPercentage: value } }),
      /garbageCollectionTargetPercentage must be a string of digits/,
    );
});
