import type { PortalAccess } from "@keelson/auth";
import { Secret } from "@keelson/base";
import { type Static, Type } from "typebox";
import type { CertificateFiles } from "../files/certificate-files.ts";
import { configErrors } from "../files/config-errors.ts";
import { readCertificates, readConfigFile } from "../files/config-files.ts";
import { governanceSchema } from "./governance-config.ts";

const closed = { additionalProperties: false };
const file = (description: string) => Type.String({ minLength: 1, description });
/** Schema of a file name. A running process reads the file again after a change. */
const rereadFile = (description: string) => Type.String({ minLength: 1, description, reread: true });

const groups = (description: string) =>
  Type.Array(Type.String({ minLength: 1 }), { default: [], description });

const signInSchema = Type.Object(
  {
    clientId: Type.String({ minLength: 1, description: "the portal's application in Entra ID" }),
    certificateFile: rereadFile("certificate of that application, PEM"),
    keyFile: rereadFile("private key of that certificate, PEM"),
    sessionKeys: Type.Array(Type.String(), {
      reread: true,
      secret: true,
      minItems: 1,
      description: "keys of 32 bytes, base64. The first key encrypts cookies, and all keys decrypt them",
    }),
    groups: Type.Object(
      {
        access: groups("object IDs of the groups that may view clusters"),
        operator: groups("object IDs of the groups that may also perform low-risk changes"),
        elevated: groups("object IDs of the groups that may perform all actions"),
      },
      closed,
    ),
  },
  {
    ...closed,
    description: "sign-in of administrators. Without it, the portal serves only kubeconfigs of the admin API",
  },
);

const adminApiSchema = Type.Object(
  {
    url: Type.String({
      pattern: "^https://[^/?#]+$",
      description: "the admin API, for example https://localhost:8443",
    }),
    scope: Type.String({
      pattern: "^[^\\s]+/[^\\s/]+$",
      description:
        "scope of the admin API in Entra ID, for example api://CLIENT_ID/.default. Its audience must be equal to the audience in `callers.admin.tokens`",
    }),
    caFile: Type.Optional(file("CA of the admin API's certificate, PEM")),
  },
  {
    ...closed,
    description:
      "the admin API. The portal calls it with the tokens of signed-in people. Default: the portal offers no actions",
  },
);

export const portalSchema = Type.Object(
  {
    url: Type.String({
      pattern: "^https://[^/?#]+$",
      description: "public URL of the portal, for example https://eastus.admin.aro.azure.com",
    }),
    certificateFile: rereadFile(
      "the portal's server certificate, PEM. Kubeconfigs of the portal trust only this certificate",
    ),
    keyFile: Type.Optional(rereadFile("private key of the certificate, PEM. Only the portal needs it")),
    host: Type.String({ default: "127.0.0.1", description: "address that the portal listens on" }),
    port: Type.Integer({
      minimum: 0,
      maximum: 65_535,
      default: 8_445,
      description: "port that the portal listens on; 0 selects a free port",
    }),
    assets: Type.Optional(file("directory of the built pages. Default: the directory in the program")),
    regions: Type.Optional(
      Type.Array(
        Type.Object(
          {
            name: Type.String({ minLength: 1 }),
            url: Type.String({ pattern: "^https://[^/?#]+$" }),
          },
          closed,
        ),
        { description: "portals of other regions, to which this portal links" },
      ),
    ),
    banner: Type.Optional(
      Type.Object(
        {
          text: Type.String({ minLength: 1, maxLength: 40, description: 'for example "simulated"' }),
          link: Type.Optional(
            Type.Object(
              {
                text: Type.String({ minLength: 1, maxLength: 40 }),
                url: Type.String({ pattern: "^https://[^/?#]+$" }),
              },
              closed,
            ),
          ),
        },
        { ...closed, description: "label of this environment on every page, with a link" },
      ),
    ),
    signIn: Type.Optional(signInSchema),
    adminApi: Type.Optional(adminApiSchema),
    governance: Type.Optional(governanceSchema),
    ssh: Type.Optional(
      Type.Object(
        {
          hostKeyFile: file("public host key of the portal's SSH server, in OpenSSH format"),
          port: Type.Integer({
            minimum: 1,
            maximum: 65_535,
            default: 22,
            description: "public port of the SSH server",
          }),
          keyFile: Type.Optional(
            file("private host key of the SSH server, PEM, RSA or ECDSA. Required by the portal"),
          ),
          host: Type.String({ default: "127.0.0.1", description: "address that the SSH server listens on" }),
          listenPort: Type.Integer({
            minimum: 0,
            maximum: 65_535,
            default: 2_222,
            description: "port that the SSH server listens on; 0 selects a free port",
          }),
          fips: Type.Boolean({
            default: true,
            description: "negotiate only algorithms that FIPS 140-3 approves: no Ed25519, no Curve25519",
          }),
          proxy: Type.Optional(
            Type.Object(
              {
                url: Type.String({
                  pattern: "^https?://[^/?#]+$",
                  description: "URL of the proxy, for example https://proxy:443",
                }),
                caFile: Type.Optional(file("CA certificate of the proxy, PEM")),
                certificateFile: Type.Optional(file("client certificate of the portal for the proxy, PEM")),
                keyFile: Type.Optional(file("private key of the client certificate, PEM")),
              },
              {
                ...closed,
                description:
                  "proxy that connects to private addresses of clusters (HTTP CONNECT). Without it, the portal connects directly",
              },
            ),
          ),
        },
        closed,
      ),
    ),
  },
  {
    ...closed,
    description: "the portal. Without this section, administrators get no kubeconfigs and no SSH",
  },
);

export type PortalConfig = Static<typeof portalSchema>;

/** Returns the settings of the admin API that the portal calls. @throws InvalidConfiguration */
export function portalAdminApiOf({
  adminApi,
}: PortalConfig): { readonly url: string; readonly caPem?: string } | undefined {
  if (!adminApi) return undefined;
  const { url, caFile } = adminApi;
  return {
    url,
    ...(caFile === undefined ? {} : { caPem: readCertificates("portal.adminApi.caFile", caFile).join("\n") }),
  };
}

/** Returns the paths of the portal's serving certificate and key. @throws InvalidConfiguration if the key is missing */
export function portalCertificateFiles({ certificateFile, keyFile }: PortalConfig): CertificateFiles {
  if (keyFile !== undefined) return { certificateFile, keyFile };
  throw configErrors.InvalidConfiguration("portal.keyFile is missing: the portal cannot serve without it");
}

/** Returns the options of the portal's SSH server. Returns `undefined` without a host key. @throws InvalidConfiguration */
export function portalSshServerOf({ ssh }: PortalConfig): PortalSshServer | undefined {
  if (ssh?.keyFile === undefined) return undefined;
  const { host, listenPort, fips, proxy } = ssh;
  const hostKey = new Secret(readConfigFile("portal.ssh.keyFile", ssh.keyFile));
  return { host, port: listenPort, fips, hostKey, ...(proxy ? { proxy: readProxy(proxy) } : {}) };
}

export interface PortalSshServer {
  readonly host: string;
  readonly port: number;
  readonly fips: boolean;
  readonly hostKey: Secret;
  readonly proxy?: {
    readonly url: string;
    readonly tls: { readonly ca?: string; readonly cert?: string; readonly key?: string };
  };
}

type ProxyConfig = NonNullable<NonNullable<PortalConfig["ssh"]>["proxy"]>;

function readProxy({ url, caFile, certificateFile, keyFile }: ProxyConfig) {
  const read = (member: string, path: string) => readConfigFile(`portal.ssh.proxy.${member}`, path);
  return {
    url,
    tls: {
      ...(caFile === undefined ? {} : { ca: read("caFile", caFile) }),
      ...(certificateFile === undefined ? {} : { cert: read("certificateFile", certificateFile) }),
      ...(keyFile === undefined ? {} : { key: read("keyFile", keyFile) }),
    },
  };
}

/**
 * Returns the portal's addresses and public keys, which other roles return to administrators. Undefined without a portal.
 * @throws InvalidConfiguration
 */
export function portalAccessOf(config: PortalConfig | undefined): PortalAccess | undefined {
  if (!config) return undefined;
  const { url, certificateFile, ssh } = config;
  return {
    url,
    certificatePem: readCertificates("portal.certificateFile", certificateFile).join("\n"),
    ...(ssh ? { ssh: { hostKey: readHostKey(ssh.hostKeyFile), port: ssh.port } } : {}),
  };
}

/** Reads a public host key without its comment. The key type must be approved by FIPS 140-3. */
function readHostKey(path: string): string {
  const [key] =
    /^(ssh-rsa|ecdsa-sha2-nistp(256|384|521)) [A-Za-z0-9+/]+=*/.exec(
      readConfigFile("portal.ssh.hostKeyFile", path),
    ) ?? [];
  if (key === undefined) {
    throw configErrors.InvalidConfiguration(
      `${path}: has no RSA or ECDSA public key in OpenSSH's form, for example 'ssh-rsa AAAA...'`,
    );
  }
  return key;
}
