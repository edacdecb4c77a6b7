import { type Static, Type } from "typebox";
import { partNames } from "./parts.ts";

const closed = { additionalProperties: false };

/** Configuration value from the key vault: a secret, or a string that contains a secret. */
const secretValue = Type.Object(
  {
    $secret: Type.String({ minLength: 1, description: "name of the secret" }),
    version: Type.Optional(Type.String({ description: "its version; the newest, where there is none" })),
    in: Type.Optional(Type.String({ description: "a text in which {secret} stands for the value" })),
  },
  closed,
);

export type SecretValue = Static<typeof secretValue>;

export const secretValueSchema = secretValue;

/**
 * File on the machine. Its content is a literal string, a secret, or the certificate in a secret. The private key of the
 * certificate can be a second file.
 */
const fileSchema = Type.Union([
  Type.Object({ name: Type.String({ minLength: 1 }), text: Type.String() }, closed),
  Type.Object({ name: Type.String({ minLength: 1 }), content: secretValue }, closed),
  Type.Object(
    {
      certificateFile: Type.String({ minLength: 1 }),
      keyFile: Type.Optional(Type.String({ minLength: 1 })),
      secret: Type.String({ minLength: 1 }),
    },
    closed,
  ),
]);

export type HostFile = Static<typeof fileSchema>;

/** Settings file of a new machine. It contains no secrets, because every process on the machine can read it. */
export const hostSettingsSchema = Type.Object(
  {
    tenantId: Type.String(),
    identityClientId: Type.String({ description: "managed identity of the machine, which reads the vault" }),
    vaultUrl: Type.String({ pattern: "^https://" }),
    vaultAudience: Type.String({ pattern: "^https://" }),
    service: Type.Record(Type.String(), Type.Unknown(), {
      description: "the service's configuration, with a reference instead of each secret",
    }),
    files: Type.Array(fileSchema),
    parts: Type.Array(Type.Enum([...partNames(true)]), {
      minItems: 1,
      description: "parts of the machine; each gets the fields and files that it reads",
    }),
  },
  closed,
);

export type HostSettings = Static<typeof hostSettingsSchema>;
