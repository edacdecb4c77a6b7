import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { Secret } from "@keelson/base";
import type { DevelopmentProxyFiles } from "@keelson/installers";
import { type Static, Type } from "typebox";
import { usable } from "../files/config-files.ts";

const file = (description: string) => Type.String({ minLength: 1, description });

export const developmentProxySchema = Type.Object(
  {
    certificateFile: file("certificate of the development proxy, PEM or DER"),
    clientCertificateFile: file("client certificate that the proxy accepts, PEM or DER"),
    clientKeyFile: file("RSA key of the client certificate, PEM or PKCS#1 DER"),
  },
  { additionalProperties: false },
);

/** Reads the files of the development proxy. @throws InvalidConfiguration naming the field of an unusable file */
export function readDevelopmentProxyFiles(
  config: Static<typeof developmentProxySchema>,
): DevelopmentProxyFiles {
  const { certificateFile, clientCertificateFile, clientKeyFile } = config;
  const read = <T>(property: string, path: string, parse: (bytes: Buffer) => T): T =>
    usable(`installer.developmentProxy.${property}`, path, () => parse(readFileSync(path)));
  const proxy = read("certificateFile", certificateFile, (bytes) => new X509Certificate(bytes));
  const client = read("clientCertificateFile", clientCertificateFile, (bytes) => new X509Certificate(bytes));
  const key = read("clientKeyFile", clientKeyFile, (bytes) => {
    const parsed = parseKey(bytes);
    if (!client.checkPrivateKey(parsed)) throw new Error("it is not the key of clientCertificateFile");
    return parsed.export({ type: "pkcs1", format: "der" });
  });
  return {
    "proxy.crt": encoded(proxy.raw),
    "proxy-client.crt": encoded(client.raw),
    "proxy-client.key": encoded(key),
  };
}

function parseKey(bytes: Buffer): KeyObject {
  const key = bytes.includes("-----BEGIN")
    ? createPrivateKey(bytes)
    : createPrivateKey({ key: bytes, format: "der", type: "pkcs1" });
  if (key.asymmetricKeyType !== "rsa") throw new Error("it is not an RSA key");
  return key;
}

function encoded(bytes: Buffer): Secret {
  return new Secret(bytes.toString("base64"));
}
