import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { createCertificateAuthority } from "@keelson/base";
import { createKubeconfig } from "@keelson/kube";
import { connectHive } from "./config/hive-config.ts";
import { portalAccessOf, portalCertificateFiles, portalSshServerOf } from "./config/portal-config.ts";

const directory = mkdtempSync(join(tmpdir(), "keelson-env-"));
const listening = { host: "127.0.0.1", port: 0 };
let certificatePem: string;
before(async () => {
  ({ certificatePem } = await createCertificateAuthority("portal.example", 1));
});
after(() => rmSync(directory, { recursive: true }));

function file(name: string, text: string): string {
  const path = join(directory, name);
  writeFileSync(path, text);
  return path;
}

const sshListening = { host: "127.0.0.1", listenPort: 2_222, fips: true };

test("the portal is read from its files", () => {
  const certificateFile = file("portal.pem", certificatePem);
  const hostKeyFile = file("host.pub", "ssh-rsa AAAAB3Nz/+== portal@example\n");
  const url = "https://portal.example";
  assert.deepEqual(
    portalAccessOf({ ...listening, url, certificateFile, ssh: { ...sshListening, hostKeyFile, port: 2222 } }),
    {
      url,
      certificatePem: certificatePem.trim(),
      ssh: { hostKey: "ssh-rsa AAAAB3Nz/+==", port: 2222 },
    },
  );
  assert.deepEqual(portalAccessOf({ ...listening, url, certificateFile }), {
    url,
    certificatePem: certificatePem.trim(),
  });
  assert.equal(portalAccessOf(undefined), undefined);
});

test("the portal itself cannot do without its key", () => {
  const portal = { ...listening, url: "https://portal.example", certificateFile: "c.pem" };
  assert.throws(() => portalCertificateFiles(portal), /portal\.keyFile is missing/);
  assert.deepEqual(portalCertificateFiles({ ...portal, keyFile: "k.pem" }), {
    certificateFile: "c.pem",
    keyFile: "k.pem",
  });
});

test("the portal's SSH server is read from its files, and absent without a key", () => {
  const portal = { ...listening, url: "https://portal.example", certificateFile: "c.pem" };
  const ssh = { ...sshListening, hostKeyFile: "unread.pub", port: 22 };
  assert.equal(portalSshServerOf(portal), undefined);
  assert.equal(portalSshServerOf({ ...portal, ssh }), undefined);
  const keyFile = file("host.pem", "HOST KEY\n");
  const alone = portalSshServerOf({ ...portal, ssh: { ...ssh, keyFile } });
  assert.deepEqual(
    [alone?.host, alone?.port, alone?.fips, alone?.hostKey.reveal(), alone?.proxy],
    ["127.0.0.1", 2_222, true, "HOST KEY\n", undefined],
  );
  assert.doesNotMatch(JSON.stringify(alone), /HOST KEY/);
  const files = { caFile: file("ca.pem", "CA"), certificateFile: file("cert.pem", "CERT") };
  const proxied = portalSshServerOf({
    ...portal,
    ssh: { ...ssh, keyFile, fips: false, proxy: { url: "https://proxy:443", ...files } },
  });
  assert.deepEqual(
    [proxied?.fips, proxied?.proxy],
    [false, { url: "https://proxy:443", tls: { ca: "CA", cert: "CERT" } }],
  );
  const keyless = { url: "https://proxy", keyFile: join(directory, "absent.pem") };
  assert.throws(
    () => portalSshServerOf({ ...portal, ssh: { ...ssh, keyFile, proxy: keyless } }),
    /portal\.ssh\.proxy\.keyFile/,
  );
  assert.throws(
    () => portalSshServerOf({ ...portal, ssh: { ...ssh, keyFile: join(directory, "absent.pem") } }),
    /portal\.ssh\.keyFile/,
  );
});

test("an invalid host key, or one of a prohibited type, is rejected", () => {
  const certificateFile = file("portal.pem", certificatePem);
  for (const text of ["", "ssh-ed25519 AAAA", "-----BEGIN RSA PRIVATE KEY-----", "ssh-rsa 'x'; rm -r /"]) {
    const hostKeyFile = file("bad.pub", text);
    assert.throws(
      () =>
        portalAccessOf({
          ...listening,
          url: "https://portal.example",
          certificateFile,
          ssh: { ...sshListening, hostKeyFile, port: 22 },
        }),
      /bad\.pub: has no RSA or ECDSA public key/,
    );
  }
});

test("Hive is reached by its kubeconfig", async () => {
  assert.equal(connectHive(undefined), undefined);
  const kubeconfig = createKubeconfig({
    server: "https://hive.example:6443",
    clientCertificatePem: "C",
    clientKeyPem: "K",
    clusterName: "hive",
    userName: "keelson",
  });
  const hive = connectHive({ kubeconfigFile: file("hive.kubeconfig", kubeconfig), adoptClusters: false });
  assert.equal(hive?.server, "https://hive.example:6443");
  await hive?.[Symbol.asyncDispose]();
});

test("an invalid certificate, an invalid kubeconfig and a missing file are rejected with the field", () => {
  const url = "https://portal.example";
  const nothing = file("nothing.pem", "nothing");
  assert.throws(() => portalAccessOf({ ...listening, url, certificateFile: nothing }), {
    code: "InvalidConfiguration",
    message: `portal.certificateFile: ${nothing} cannot be used: it has no certificate in PEM`,
  });
  for (const kubeconfigFile of [nothing, join(directory, "absent")]) {
    assert.throws(() => connectHive({ kubeconfigFile, adoptClusters: false }), {
      code: "InvalidConfiguration",
      message: /^hive\.kubeconfigFile: .* cannot be used: /,
    });
  }
});
