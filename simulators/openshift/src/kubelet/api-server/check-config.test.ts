import assert from "node:assert/strict";
import { test } from "node:test";
import { createCertificateAuthority } from "@keelson/base";
import { configFault } from "./check-config.ts";

const [pair, other] = await Promise.all([
  createCertificateAuthority("a", 1),
  createCertificateAuthority("b", 1),
]);
const files: Readonly<Record<string, string>> = {
  "/a.crt": pair.certificatePem,
  "/a.key": pair.privateKeyPem,
  "/b.key": other.privateKeyPem,
  "/broken": "no PEM",
};
const good = {
  apiVersion: "kubecontrolplane.config.openshift.io/v1",
  kind: "KubeAPIServerConfig",
  apiServerArguments: { "etcd-servers": ["https://10.0.0.4:2379"], "audit-log-maxsize": ["200"] },
  servingInfo: {
    bindAddress: "0.0.0.0:6443",
    minTLSVersion: "VersionTLS12",
    namedCertificates: [{ certFile: "/a.crt", keyFile: "/a.key" }],
  },
};
const serving = (change: object) => ({ ...good, servingInfo: { ...good.servingInfo, ...change } });
const argued = (change: object) => ({
  ...good,
  apiServerArguments: { ...good.apiServerArguments, ...change },
});

for (const [name, config, fault] of [
  ["a good configuration", good, undefined],
  ["another kind", { ...good, kind: "Other" }, /no kind "KubeAPIServerConfig"/],
  ["an unknown argument", argued({ "no-such-flag": ["x"] }), /^unknown flag: --no-such-flag$/],
  [
    "an argument that is no list",
    argued({ "audit-log-maxsize": "200" }),
    /audit-log-maxsize: expected a list/,
  ],
  ["no etcd", argued({ "etcd-servers": [] }), /etcd-servers must be specified/],
  ["an etcd that is not a URL", argued({ "etcd-servers": ["nowhere"] }), /invalid URL/],
  ["no address", serving({ bindAddress: "everywhere" }), /bindAddress/],
  ["an IPv6 address", serving({ bindAddress: "[::]:6443" }), undefined],
  ["an unknown version of TLS", serving({ minTLSVersion: "VersionTLS99" }), /unknown TLS version/],
  [
    "a certificate that is not there",
    serving({ namedCertificates: [{ certFile: "/c", keyFile: "/a.key" }] }),
    /open \/c: no such file/,
  ],
  [
    "a key of another certificate",
    serving({ namedCertificates: [{ certFile: "/a.crt", keyFile: "/b.key" }] }),
    /does not match/,
  ],
  [
    "a certificate that is none",
    serving({ namedCertificates: [{ certFile: "/broken", keyFile: "/a.key" }] }),
    /PEM data/,
  ],
] as const)
  test(`an API server judges its configuration: ${name}`, async () => {
    const readFile = async (path: string) => {
      const text = path === "/config" ? JSON.stringify(config) : files[path];
      if (text === undefined) throw new Error("ENOENT");
      return text;
    };
    const found = await configFault("/config", readFile);
    if (fault) assert.match(found ?? "", fault);
    else assert.equal(found, undefined);
  });

test("an API server without its configuration does not start", async () => {
  const readFile = () => Promise.reject(new Error("ENOENT"));
  assert.equal(await configFault("/config", readFile), "open /config: no such file or directory");
});
