import { type Static, Type } from "typebox";

const closed = { additionalProperties: false };

/** Issuer of the clusters' serving certificates. */
export const certificateIssuerSchema = Type.Union([
  Type.Object(
    {
      kind: Type.Literal("local"),
      caFile: Type.String({ minLength: 1, description: "CA certificate, PEM" }),
      caKeyFile: Type.String({ minLength: 1, description: "private key of the CA, PEM" }),
    },
    closed,
  ),
  Type.Object(
    {
      kind: Type.Literal("keyVault"),
      url: Type.String({
        pattern: "^https://",
        description: "key vault with clusters' certificates, for example https://name.vault.azure.net",
      }),
      issuerName: Type.String({
        minLength: 1,
        default: "OneCertV2-PublicCA",
        description: "name of the CA in the vault. Certificates of a different CA are replaced",
      }),
      audience: Type.String({
        default: "https://vault.azure.net",
        description: "resource of tokens for the vault",
      }),
    },
    closed,
  ),
]);

export type CertificateIssuerConfig = Static<typeof certificateIssuerSchema>;
