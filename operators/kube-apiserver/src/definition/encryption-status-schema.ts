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
  nodeName: text(253, "node of the plugin", {
    "x-kubernetes-validations": [
      {
        message:
          "nodeName must be a lowercase RFC 1123 subdomain consisting of lowercase alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
        rule: "!format.dns1123Subdomain().validate(self).hasValue()",
      },
    ],
  }),
  keyID: text(512, "number of the encryption key's Secret, as in the name of the plugin's socket"),
  remoteKeyID: text(1024, "name of the key in the key management service"),
  status: Type.Unsafe<"Healthy" | "Unhealthy" | "Error">({
    type: "string",
    enum: ["Healthy", "Unhealthy", "Error"],
    minLength: 1,
    maxLength: 512,
    description: "health of the plugin",
  }),
  detail: Type.Optional(text(1024, "error of an unhealthy plugin")),
  lastCheckedTime: Type.String({ format: "date-time", description: "time of the last health check" }),
});

const result = Type.Object(
  {
    configHash: hash("hash of the tested configuration"),
    remoteKeyID: text(1024, "name of the key in the key management service"),
    status: Type.Unsafe<"Succeeded" | "Failed">({
      type: "string",
      enum: ["Succeeded", "Failed"],
      description: "result of the test: Succeeded if the plugin responded, encrypted and decrypted",
    }),
  },
  { description: "result of the last test" },
);

export const encryptionStatus = Type.Optional(
  Type.Object(
    {
      healthReports: Type.Optional(
        Type.Array(healthReport, {
          minItems: 1,
          maxItems: 200,
          description: "health of the key management service plugins",
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": ["nodeName", "keyID"],
        }),
      ),
      preflight: Type.Optional(
        Type.Object(
          {
            observedConfigHash: hash(
              "hash of the configuration that is tested before a key is created with it",
            ),
            result: Type.Optional(result),
          },
          { minProperties: 1, description: "test of a new key management service" },
        ),
      ),
    },
    { minProperties: 1, description: "status of encryption with a key management service" },
  ),
);
