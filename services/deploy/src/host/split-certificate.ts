import type { KeyPair } from "@keelson/base";
import { errors } from "../config/errors.ts";

const block = /-----BEGIN ([A-Z ]+)-----[\s\S]+?-----END \1-----/g;

/**
 * Splits a PEM string from the key vault into private key and certificate chain.
 * @throws UnusableSecret
 */
export function splitCertificate(pem: string, name: string): KeyPair {
  const blocks = [...pem.matchAll(block)].map(([text, label = ""]) => ({ text, label }));
  const key = blocks.find(({ label }) => label.endsWith("PRIVATE KEY"));
  const chain = blocks.filter(({ label }) => label === "CERTIFICATE");
  if (key && chain.length > 0) {
    return { privateKeyPem: `${key.text}\n`, certificatePem: chain.map(({ text }) => `${text}\n`).join("") };
  }
  throw errors.UnusableSecret(
    `The secret ${name} holds no certificate with its key in PEM: give the certificate the content type application/x-pem-file.`,
  );
}
