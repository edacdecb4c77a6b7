import { createPrivateKey } from "node:crypto";
import { createCertificateAuthority, type KeyPair } from "@keelson/base";
import { stringify } from "yaml";

export const kubeadminPassword = "aBc12-dEf34-gHi56-jKl78";

/** Generates assets in the storage format of the installer's graph. The install configuration is not included. */
export async function generatedAssets(): Promise<Record<string, unknown>> {
  const signer = await createCertificateAuthority("admin-kubeconfig-signer", 3650, "rsa");
  const root = await createCertificateAuthority("root-ca", 3650, "rsa");
  return {
    "*kubeconfig.AdminInternalClient": internalKubeconfig(base64(root.certificatePem)),
    "*password.KubeadminPassword": {
      Password: kubeadminPassword,
      PasswordHash: base64("$2a$10$hash"),
      File: file("auth/kubeadmin-password", kubeadminPassword),
    },
    "*tls.AdminKubeConfigSignerCertKey": keyPair("admin-kubeconfig-signer", signer),
    "*tls.RootCA": keyPair("root-ca", root),
  };
}

/** Returns the kubeconfig. The graph's object has the field order of Go's types. In the kubeconfig file, the keys are sorted. */
function internalKubeconfig(ca: string) {
  const server = "https://api-int.demo.eastus.example.org:6443";
  const client = {
    "client-certificate-data": base64("placeholder"),
    "client-key-data": base64("placeholder"),
  };
  const context = { cluster: "demo", user: "admin" };
  const config = {
    preferences: {},
    clusters: [{ name: "demo", cluster: { server, "certificate-authority-data": ca } }],
    users: [{ name: "admin", user: client }],
    contexts: [{ name: "admin", context }],
    "current-context": "admin",
  };
  const text = stringify(config, { sortMapEntries: true });
  return { Config: config, File: file("auth/kubeconfig", text) };
}

function keyPair(name: string, { certificatePem, privateKeyPem }: KeyPair) {
  const pkcs1 = createPrivateKey(privateKeyPem).export({ type: "pkcs1", format: "pem" }).toString();
  return {
    CertRaw: base64(certificatePem),
    KeyRaw: base64(pkcs1),
    FileList: [file(`tls/${name}.key`, pkcs1), file(`tls/${name}.crt`, certificatePem)],
  };
}

function file(name: string, content: string) {
  return { Filename: name, Data: base64(content) };
}

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}
