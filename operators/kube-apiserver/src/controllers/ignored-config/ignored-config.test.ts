import assert from "node:assert/strict";
import { test } from "node:test";
import { recognizedCondition } from "./ignored-config.ts";

const rows: readonly (readonly [
  title: string,
  spec: Parameters<typeof recognizedCondition>[0],
  expected: readonly [reason: string, message?: string],
])[] = [
  ["nothing", {}, ["AsExpected"]],
  ["nulls", { unsupportedConfigOverrides: null, observedConfig: null }, ["AsExpected"]],
  [
    "supported keys",
    {
      unsupportedConfigOverrides: { apiServerArguments: { "any-flag": ["1"] }, servicesSubnet: "10.0.0.0/8" },
    },
    ["AsExpected"],
  ],
  [
    "what the operator reads itself",
    {
      unsupportedConfigOverrides: {
        gracefulTerminationDuration: "15",
        garbageCollectionTargetPercentage: "80",
        encryption: { reason: "again" },
        operator: { enableConnectivityCheckController: "True" },
        startupMonitor: true,
      },
      observedConfig: { targetconfigcontroller: { proxy: { NO_PROXY: "x" } } },
    },
    ["AsExpected"],
  ],
  [
    "configuration of admission plugins, of which nothing is known",
    { unsupportedConfigOverrides: { admission: { pluginConfig: { X: { configuration: { any: 1 } } } } } },
    ["AsExpected"],
  ],
  [
    "acceptance 8: unsupported keys",
    {
      unsupportedConfigOverrides: { foo: "bar", servingInfo: { minTlsVersion: "VersionTLS12" } },
      observedConfig: { imagePolicyConfig: { allowedRegistriesForImport: [] } },
    },
    [
      "UnknownKeys",
      "has no effect: unsupportedConfigOverrides: foo, servingInfo.minTlsVersion\nhas no effect: observedConfig: imagePolicyConfig.allowedRegistriesForImport",
    ],
  ],
  [
    "a misspelt setting of the operator",
    { unsupportedConfigOverrides: { encryption: { raeson: "x" } } },
    ["UnknownKeys", "has no effect: unsupportedConfigOverrides: encryption.raeson"],
  ],
  [
    "a value that cannot be read",
    { unsupportedConfigOverrides: { apiServerArguments: { v: "2" } }, observedConfig: { foo: 1 } },
    [
      "UnreadableValues",
      "unsupportedConfigOverrides.apiServerArguments.v must be a list\nhas no effect: observedConfig: foo",
    ],
  ],
  [
    "no object",
    { unsupportedConfigOverrides: "x" },
    ["UnreadableValues", "unsupportedConfigOverrides must be an object"],
  ],
];
for (const [title, spec, [reason, message]] of rows)
  test(`of overrides and observations, ${title}: ${reason}`, () => {
    const status = reason === "AsExpected" ? "True" : "False";
    assert.deepEqual(recognizedCondition(spec), {
      type: "ConfigRecognized",
      status,
      reason,
      ...(message === undefined ? {} : { message }),
    });
  });
