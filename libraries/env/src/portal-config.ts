import type { PortalAccess } from "@keelson/auth";
import { type Static, Type } from "typebox";
import type { CertificateFiles } from "./certificate-files.ts";
import { configErrors } from "./config-errors.ts";
import { readCertificates, readConfigFile } from "./config-files.ts";

const closed = { additionalProperties: false };
const file = (description: string) => Type.String({ minLength: 1, description });

export const portalSchema = Type.Object(
  {
    url: Type.String({
      pattern: "^https://[^/?#]+$",
      description: "where administrators reach the portal, for example https://eastus.admin.aro.azure.com",
    }),
    certificateFile: file("the portal's serving certificate, PEM; kubeconfigs through it trust just that"),
    keyFile: Type.Optional(file("its private key, PEM; the portal itself needs it, nobody else")),
    host: Type.String({ default: "127.0.0.1", description: "address that the portal listens on" }),
    port: Type.Integer({
      minimum: 0,
      maximum: 65_535,
      default: 8_445,
      description: "port that the portal listens on; 0 takes a free one",
    }),
    ssh: Type.Optional(
      Type.Object(
        {
          hostKeyFile: file("public host key of the portal's SSH server, in OpenSSH's form"),
          port: Type.Integer({ minimum: 1, maximum: 65_535, default: 22, description: "its port" }),
        },
        closed,
      ),
    ),
  },
  { ...closed, description: "the portal; without it administrators get no kubeconfigs and no SSH" },
);

export type PortalConfig = Static<typeof portalSchema>;

/** The files of the certificate that the portal serves with. @throws InvalidConfiguration where the key is not named */
export function portalCertificateFiles({ certificateFile, keyFile }: PortalConfig): CertificateFiles {
  if (keyFile !== undefined) return { certificateFile, keyFile };
  throw configErrors.InvalidConfiguration("portal.keyFile is missing: the portal cannot serve without it");
}

/** What others give to administrators. @throws InvalidConfiguration */
export function portalAccessOf(config: PortalConfig | undefined): PortalAccess | undefined {
  if (!config) return undefined;
  const { url, certificateFile, ssh } = config;
  return {
    url,
    certificatePem: readCertificates("portal.certificateFile", certificateFile).join("\n"),
    ...(ssh ? { ssh: { hostKey: readHostKey(ssh.hostKeyFile), port: ssh.port } } : {}),
  };
}

/** Without the comment behind it. Types that FIPS 140-3 approves. */
function readHostKey(path: string): string {
  const [key] =
    /^(ssh-rsa|ecdsa-sha2-nistp(256|384|521)) [A-Za-z0-9+/]+=*/.exec(
      readConfigFile("portal.ssh.hostKeyFile", path),
    ) ?? [];
  if (key === undefined) {
    throw configErrors.InvalidConfiguration(
      `${path}: holds no RSA or ECDSA public key in OpenSSH's form, for example 'ssh-rsa AAAA...'`,
    );
  }
  return key;
}
