import { createPrivateKey } from "node:crypto";
import { createCertificateAuthority, type KeyPair } from "@keelson/base";

export const kubeadminPassword = "aBc12-dEf34-gHi56-jKl78";

/** Generates the installer's assets, except its configuration, in its storage format. */
export async function generatedAssets(): Promise<Record<string, unknown>> {
  const signer = await createCertificateAuthority("admin-kubeconfig-signer", 3650, "rsa");
  const root = await createCertificateAuthority("root-ca", 3650, "rsa");
  const kubeconfig = [
    "clusters:",
    "- cluster:",
    `    certificate-authority-data: ${base64(root.certificatePem)}`,
    "    server: https://api-int.demo.eastus.example.org:6443",
    "  name: demo",
  ].join("\n");
  return {
    "*tls.RootCA": keyPair(root),
    "*tls.AdminKubeConfigSignerCertKey": keyPair(signer),
    "*kubeconfig.AdminInternalClient": {
      Config: null,
      File: { Filename: "auth/kubeconfig", Data: base64(kubeconfig) },
    },
    "*password.KubeadminPassword": { Password: kubeadminPassword, PasswordHash: base64("$2a$10$hash") },
  };
}

function keyPair({ certificatePem, privateKeyPem }: KeyPair) {
  const pkcs1 = createPrivateKey(privateKeyPem).export({ type: "pkcs1", format: "pem" }).toString();
  return { CertRaw: base64(certificatePem), KeyRaw: base64(pkcs1), FileList: [] };
}

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}
