import assert from "node:assert/strict";
import { test } from "node:test";
import { missingConfig } from "./required-config.ts";

const complete = {
  servingInfo: { namedCertificates: [{}] },
  apiServerArguments: {
    "etcd-servers": ["https://10.0.0.1:2379", "https://10.0.0.2:2379", "https://localhost:2379"],
  },
  admission: { pluginConfig: { "network.openshift.io/RestrictedEndpointsAdmission": {} } },
};
const etcd = (...urls: unknown[]) => ({ ...complete, apiServerArguments: { "etcd-servers": urls } });

const rows: readonly (readonly [string, unknown, readonly string[] | undefined, string | undefined])[] = [
  ["nothing observed", undefined, undefined, "no observedConfig"],
  ["a text", "x", undefined, "error parsing config, observedConfig is not an object"],
  ["no certificates", {}, undefined, "servingInfo.namedCertificates missing from config"],
  [
    "null",
    { servingInfo: { namedCertificates: null } },
    undefined,
    "servingInfo.namedCertificates null in config",
  ],
  [
    "an empty list",
    { servingInfo: { namedCertificates: [] } },
    undefined,
    "servingInfo.namedCertificates empty in config",
  ],
  [
    "no restricted networks",
    { ...complete, admission: {} },
    undefined,
    "admission.pluginConfig.network.openshift.io/RestrictedEndpointsAdmission missing from config",
  ],
  ["one member where one is enough", etcd("https://localhost:2379"), undefined, undefined],
  ["a list of others", etcd(1), [], "apiServerArguments.etcd-servers is not a string slice"],
  [
    "acceptance 4: one live member of etcd",
    etcd("https://10.0.0.1:2379", "https://10.0.0.9:2379", "https://localhost:2379"),
    ["10.0.0.1"],
    "apiServerArguments.etcd-servers has less than two live etcd endpoints: [https://10.0.0.1:2379]",
  ],
  ["two live members", complete, ["10.0.0.1", "10.0.0.2"], undefined],
];
for (const [name, observed, etcdAddresses, missing] of rows)
  test(name, () => assert.equal(missingConfig({ observed, etcdAddresses: () => etcdAddresses }), missing));
