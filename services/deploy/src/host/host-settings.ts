import { type Static, Type } from "typebox";

const closed = { additionalProperties: false };

/** A value of the service's configuration that is in the vault: the secret, or a text around it. */
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

/** The settings with which a machine of the service is created. No secrets: every process on the machine can read them. */
export const hostSettingsSchema = Type.Object(
  {
    tenantId: Type.String(),
    identityClientId: Type.String({ description: "the machine's managed identity, which opens the vault" }),
    vaultUrl: Type.String({ pattern: "^https://" }),
    vaultAudience: Type.String({ pattern: "^https://" }),
    service: Type.Record(Type.String(), Type.Unknown(), {
      description: "the service's configuration, with a reference in the place of each secret",
    }),
    /** Files beside it: texts as they are, secrets, or both parts of a secret that holds a certificate with its key. */
    files: Type.Array(
      Type.Union([
        Type.Object({ name: Type.String({ minLength: 1 }), text: Type.String() }, closed),
        Type.Object({ name: Type.String({ minLength: 1 }), content: secretValue }, closed),
        Type.Object(
          {
            certificateFile: Type.String({ minLength: 1 }),
            keyFile: Type.String({ minLength: 1 }),
            secret: Type.String({ minLength: 1 }),
          },
          closed,
        ),
      ]),
    ),
  },
  closed,
);

export type HostSettings = Static<typeof hostSettingsSchema>;
