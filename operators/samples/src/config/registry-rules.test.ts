import assert from "node:assert/strict";
import { test } from "node:test";
import { apiVersionOf, type KubeObject } from "@keelson/kube";
import { configImages, configKey } from "../resources/resources.ts";
import { isRegistryAllowed, isRegistryBlocked } from "./registry-rules.ts";

function image(spec: object): KubeObject {
  return { apiVersion: apiVersionOf(configImages), kind: configImages.kind, metadata: configKey, spec };
}
const imports = (...names: readonly string[]) =>
  image({ allowedRegistriesForImport: names.map((domainName) => ({ domainName })) });
const allowed = (...names: readonly string[]) => image({ registrySources: { allowedRegistries: names } });
const blocked = (...names: readonly string[]) => image({ registrySources: { blockedRegistries: names } });

const rows: readonly (readonly [string, KubeObject | undefined, string, boolean])[] = [
  ["no Image config", undefined, "mirror.io", true],
  ["an empty one", image({}), "mirror.io", true],

  ["imports from the registry alone", imports("mirror.io"), "mirror.io/x", true],
  ["imports from another", imports("other.io"), "mirror.io", false],
  ["imports from a domain", imports("example.com"), "mirror.example.com", true],
  ["imports by wildcard", imports("*.example.com"), "mirror.example.com/x", true],
  ["imports by wildcard, of the domain itself", imports("*.example.com"), "example.com", false],
  ["imports from another port", imports("mirror.io"), "mirror.io:5000/x", false],
  ["imports from this port", imports("mirror.io:5000"), "mirror.io:5000/x", true],
  ["imports from the usual port", imports("mirror.io"), "mirror.io:443", true],
  [
    "imports without TLS",
    image({ allowedRegistriesForImport: [{ domainName: "mirror.io", insecure: true }] }),
    "mirror.io:80",
    true,
  ],
  ["imports from what has dots for letters", imports("mirror.io"), "mirrorxio", false],
  ["imports of the catalogues' registries", imports("quay.io", "registry.redhat.io"), "", true],
  ["imports of the catalogues' domain", imports("quay.io", "redhat.io"), "", true],
  ["imports without one of them", imports("registry.redhat.io"), "", false],
  ["an entry without a name", image({ allowedRegistriesForImport: [{}] }), "mirror.io", false],

  ["allowed", allowed("mirror.io"), "mirror.io/x", true],
  ["allowed with spaces", allowed(" mirror.io "), "mirror.io", true],
  ["allowed another", allowed("other.io"), "mirror.io", false],
  ["allowed with the path", allowed("mirror.io/x"), "mirror.io/x/y", true],
  ["allowed with another path", allowed("mirror.io/x"), "mirror.io/xy", false],
  ["allowed at all ports", allowed("mirror.io"), "mirror.io:5000/x", true],
  ["allowed at one port", allowed("mirror.io:5000"), "mirror.io", false],
  ["allowed by wildcard", allowed("*.mirror.io"), "a.mirror.io:5000", true],
  ["allowed what the catalogues need", allowed("registry.redhat.io", "quay.io"), "", true],
  ["allowed a part of it", allowed("registry.redhat.io"), "", false],

  ["blocked", blocked("mirror.io"), "mirror.io/x", false],
  ["blocked another", blocked("other.io"), "mirror.io", true],
  ["blocked below", blocked("mirror.io/team"), "mirror.io/x", true],
  ["blocked the path", blocked("mirror.io/team"), "mirror.io/team/x", false],
  ["blocked by wildcard", blocked("*.mirror.io"), "a.mirror.io", false],
  ["blocked by wildcard, the domain itself", blocked("*.mirror.io"), "mirror.io", true],
  ["blocked at one port", blocked("mirror.io:5000"), "mirror.io", true],
  ["blocked what the catalogues need, without an override", blocked("registry.redhat.io"), "", true],
];

for (const [what, config, registry, expected] of rows)
  test(`${what}: ${registry || "no override"} is ${expected ? "allowed" : "rejected"}`, () =>
    assert.equal(isRegistryAllowed(config, registry), expected));

test("a cluster starts without samples if one of their registries is blocked or not allowed", () => {
  assert.ok(isRegistryBlocked(blocked("registry.redhat.io"), "registry.redhat.io"));
  assert.ok(isRegistryBlocked(allowed("registry.redhat.io"), "quay.io"));
  assert.ok(isRegistryBlocked(imports("mirror.io"), "registry.redhat.io"));
  assert.ok(!isRegistryBlocked(imports("redhat.io"), "registry.redhat.io"));
  assert.ok(!isRegistryBlocked(undefined, "registry.redhat.io"));
});
