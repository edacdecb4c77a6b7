import type { KubeObject } from "@keelson/apiserver";
import type { KeyPair } from "@keelson/base";
import { stringMapAt } from "./fields.ts";

type Texts = Readonly<Record<string, string>>;

export function configMap(namespace: string, name: string, data: Texts): KubeObject {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace, name }, data };
}

export function secret(namespace: string, name: string, texts: Texts, type = "Opaque"): KubeObject {
  const data = Object.entries(texts).map(([key, text]) => [key, Buffer.from(text).toString("base64")]);
  return {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { namespace, name },
    type,
    data: Object.fromEntries(data),
  };
}

/** Returns a Secret with a certificate, its chain and its private key. */
export function tlsSecret(namespace: string, name: string, pair: KeyPair, chainPem = ""): KubeObject {
  const texts = { "tls.crt": `${pair.certificatePem}${chainPem}`, "tls.key": pair.privateKeyPem };
  return secret(namespace, name, texts, "kubernetes.io/tls");
}

/** Returns the certificate and key in a Secret. `undefined` if the certificate or the key is missing. */
export function keyPairIn(stored: KubeObject | undefined): KeyPair | undefined {
  const { "tls.crt": certificate, "tls.key": key } = stringMapAt(stored, "data");
  if (!certificate || !key) return undefined;
  const decode = (text: string) => Buffer.from(text, "base64").toString();
  return { certificatePem: decode(certificate), privateKeyPem: decode(key) };
}

/** Returns a CA bundle ConfigMap in the format of OpenShift's operators. */
export function caBundle(namespace: string, name: string, ...certificatePems: readonly string[]): KubeObject {
  return configMap(namespace, name, { "ca-bundle.crt": certificatePems.map(endLine).join("") });
}

function endLine(pem: string): string {
  return pem.endsWith("\n") ? pem : `${pem}\n`;
}
