import assert from "node:assert/strict";
import { test } from "node:test";
import { createSecureContext, getCiphers } from "node:tls";
import { cipherSuiteNames } from "./cipher-suites.ts";
import { parseServingInfo, type ServingInfo } from "./serving-info.ts";

const defaults = { minVersion: "TLSv1.2" } as const;
const good: readonly { readonly name: string; readonly text: string; readonly parsed: ServingInfo }[] = [
  { name: "without servingInfo", text: "kind: GenericControllerConfig", parsed: defaults },
  { name: "with an empty one", text: "servingInfo:\n", parsed: defaults },
  {
    name: "without authorization",
    text: "authorization: { disabled: true }",
    parsed: { ...defaults, disabled: { authentication: false, authorization: true } },
  },
  {
    name: "with a port alone",
    text: 'servingInfo: { bindAddress: ":60000" }',
    parsed: { ...defaults, port: 60_000 },
  },
  {
    name: "with an IPv6 address",
    text: 'servingInfo: { bindAddress: "[::1]:443" }',
    parsed: { ...defaults, host: "::1", port: 443 },
  },
  {
    name: "with everything",
    text: `servingInfo:
  bindAddress: 127.0.0.1:8443
  certFile: /a/tls.crt
  keyFile: /a/tls.key
  minTLSVersion: VersionTLS13
  cipherSuites: [TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256, TLS_AES_128_GCM_SHA256]`,
    parsed: {
      host: "127.0.0.1",
      port: 8_443,
      certificateFile: "/a/tls.crt",
      keyFile: "/a/tls.key",
      minVersion: "TLSv1.3",
      ciphers:
        "TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256:ECDHE-RSA-AES128-GCM-SHA256",
    },
  },
];

for (const { name, text, parsed } of good)
  test(`a configuration ${name} is read`, () => {
    assert.deepEqual(parseServingInfo(text, "config.yaml"), parsed);
  });

for (const { name, text, error } of [
  { name: "is no YAML", text: "a: [", error: /^Error: config\.yaml is no YAML: / },
  { name: "is a string", text: "hello", error: /expected an object with servingInfo/ },
  { name: "has no port", text: "servingInfo: { bindAddress: localhost }", error: /bindAddress 'localhost'/ },
  { name: "has a port too high", text: 'servingInfo: { bindAddress: ":70000" }', error: /':70000'/ },
  {
    name: "has an unknown version of TLS",
    text: "servingInfo: { minTLSVersion: VersionTLS14 }",
    error: /minTLSVersion: unknown 'VersionTLS14'; known are VersionTLS10/,
  },
  {
    name: "has an unknown cipher",
    text: "servingInfo: { cipherSuites: [TLS_NULL] }",
    error: /cipherSuites: unknown 'TLS_NULL'/,
  },
])
  test(`a configuration that ${name} is refused`, () => {
    assert.throws(() => parseServingInfo(text, "config.yaml"), error);
  });

test("every name of a cipher is one of OpenSSL's, and a server takes them all", () => {
  const known = new Set(getCiphers());
  const retired = new Set(["DES-CBC3-SHA", "ECDHE-RSA-DES-CBC3-SHA"]);
  for (const name of Object.keys(cipherSuiteNames))
    assert.ok(retired.has(name) || known.has(name.toLowerCase()), name);
  createSecureContext({ ciphers: Object.keys(cipherSuiteNames).join(":") });
});
