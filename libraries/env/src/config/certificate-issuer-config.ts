import { type Static, Type } from "typebox";

const closed = { additionalProperties: false };

/** Who issues the serving certificates of clusters. */
export const certificateIssuerSchema = Type.Union([
  Type.Object(
    {
      kind: Type.Literal("local"),
      caFile: Type.String({ minLength: 1, description: "authority, PEM" }),
      caKeyFile: Type.String({ minLength: 1, description: "its private key, PEM" }),
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
        description: "the vault's name of the authority; certificates of another are replaced",
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
