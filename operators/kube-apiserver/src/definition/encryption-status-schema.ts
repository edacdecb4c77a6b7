import { Type } from "typebox";

const text = (maxLength: number, description: string, more: object = {}) =>
  Type.String({ minLength: 1, maxLength, description, ...more });

const hash = (description: string) =>
  Type.String({
    minLength: 8,
    maxLength: 8,
    description,
    "x-kubernetes-validations": [
      {
        message: "must be a valid base64url encoded value",
        rule: "self.matches('^[A-Za-z0-9_-]*={0,2}$')",
      },
    ],
  });

const healthReport = Type.Object({
  nodeName: text(253, "the node on which the plugin runs", {
    "x-kubernetes-validations": [
      {
        message:
          "nodeName must be a lowercase RFC 1123 subdomain consisting of lowercase alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
        rule: "!format.dns1123Subdomain().validate(self).hasValue()",
      },
    ],
  }),
  keyID: text(512, "number of the encryption key's Secret, as in the name of the plugin's socket"),
  remoteKeyID: text(1024, "the key's name at the key management service"),
  status: Type.Unsafe<"Healthy" | "Unhealthy" | "Error">({
    type: "string",
    enum: ["Healthy", "Unhealthy", "Error"],
    minLength: 1,
    maxLength: 512,
    description: "how the plugin answered",
  }),
  detail: Type.Optional(text(1024, "what it answered, where it is not healthy")),
  lastCheckedTime: Type.String({ format: "date-time", description: "when it was last asked" }),
});

const result = Type.Object(
  {
    configHash: hash("of the configuration that was tried"),
    remoteKeyID: text(1024, "the key's name at the key management service"),
    status: Type.Unsafe<"Succeeded" | "Failed">({
      type: "string",
      enum: ["Succeeded", "Failed"],
      description: "whether the plugin answered, encrypted and decrypted",
    }),
  },
  { description: "of the last trial" },
);

export const encryptionStatus = Type.Optional(
  Type.Object(
    {
      healthReports: Type.Optional(
        Type.Array(healthReport, {
          minItems: 1,
          maxItems: 200,
          description: "how the plugins of key management services are",
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": ["nodeName", "keyID"],
        }),
      ),
      preflight: Type.Optional(
        Type.Object(
          {
            observedConfigHash: hash("of the configuration to be tried before a key is made with it"),
            result: Type.Optional(result),
          },
          { minProperties: 1, description: "the trial of a new key management service" },
        ),
      ),
    },
    { minProperties: 1, description: "of encryption by a key management service" },
  ),
);
