import { Type } from "typebox";
import { encryptionStatus } from "./encryption-status-schema.ts";

const text = (description: string) => Type.Optional(Type.String({ description }));
const time = (description: string) => Type.Optional(Type.String({ format: "date-time", description }));
const int32 = (description: string, more: object = {}) =>
  Type.Optional(Type.Integer({ format: "int32", description, ...more }));
const onlyIncreases = {
  "x-kubernetes-validations": [{ rule: "self >= oldSelf", message: "must only increase" }],
};
const mapOf = (...keys: readonly string[]) => ({
  "x-kubernetes-list-type": "map",
  "x-kubernetes-list-map-keys": keys,
});
const atomic = { "x-kubernetes-list-type": "atomic" };

const condition = Type.Object(
  {
    type: Type.String({
      maxLength: 316,
      pattern:
        "^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$",
      description: "name of the condition in CamelCase",
    }),
    status: Type.Unsafe<"True" | "False" | "Unknown">({
      type: "string",
      enum: ["True", "False", "Unknown"],
      description: "True, False or Unknown",
    }),
    reason: text("why, as one word in CamelCase"),
    message: text("why, for people"),
    lastTransitionTime: Type.String({ format: "date-time", description: "when the status last changed" }),
  },
  { description: "what one controller found" },
);

const generation = Type.Object(
  {
    group: Type.String({ description: "API group of the resource" }),
    resource: Type.String({ description: "plural name of the resource" }),
    namespace: Type.String({ description: "namespace of the object" }),
    name: Type.String({ description: "name of the object" }),
    lastGeneration: Type.Optional(
      Type.Integer({ format: "int64", description: "the object's generation when it was last handled" }),
    ),
    hash: text("of the content of objects without a generation"),
  },
  { description: "what was last handled of an object" },
);

const onCreation = (member: string) => ({
  fieldPath: `.${member}`,
  message: `${member} can not be set on creation of a nodeStatus`,
  optionalOldSelf: true,
  rule: `oldSelf.hasValue() || !has(self.${member})`,
});

const nodeStatus = Type.Object(
  {
    nodeName: Type.String({ description: "name of the node" }),
    nodeUID: Type.Optional(
      Type.String({
        format: "uuid",
        minLength: 36,
        maxLength: 36,
        description: "UID of the node: another one is another node of the same name",
      }),
    ),
    currentRevision: int32("the revision that runs; not set on creation of the entry", onlyIncreases),
    targetRevision: int32("the revision that is being installed; 0 or absent while none is"),
    lastFailedRevision: int32("latest revision with a failed installation"),
    lastFailedTime: time("when it failed last"),
    lastFailedReason: text("why it failed, as one word in CamelCase"),
    lastFailedCount: Type.Optional(Type.Integer({ description: "how often installing it failed" })),
    lastFallbackCount: Type.Optional(
      Type.Integer({ description: "how often the node fell back to an older revision" }),
    ),
    lastFailedRevisionErrors: Type.Optional(
      Type.Array(Type.String(), { description: "why it failed, for people", ...atomic }),
    ),
  },
  {
    description: "how far a node is",
    "x-kubernetes-validations": [
      {
        fieldPath: ".currentRevision",
        message: "cannot be unset once set",
        rule: "has(self.currentRevision) || !has(oldSelf.currentRevision)",
      },
      onCreation("currentRevision"),
      onCreation("targetRevision"),
    ],
  },
);

const issuer = Type.Object({
  name: text("the issuer, as tokens name it"),
  expirationTime: time("until when its tokens are accepted; absent for the issuer of new tokens"),
});

const members = {
  conditions: Type.Optional(
    Type.Array(condition, { description: "what the controllers found", ...mapOf("type") }),
  ),
  latestAvailableRevision: int32("the newest revision that is complete", onlyIncreases),
  latestAvailableRevisionReason: text("why there is that revision"),
  nodeStatuses: Type.Optional(
    Type.Array(nodeStatus, {
      description: "how far each node is",
      ...mapOf("nodeName"),
      "x-kubernetes-validations": [
        {
          message: "no more than 1 node status may have a nonzero targetRevision",
          rule: "size(self.filter(status, status.?targetRevision.orValue(0) != 0)) <= 1",
        },
      ],
    }),
  ),
  serviceAccountIssuers: Type.Optional(
    Type.Array(issuer, {
      description: "current issuer of service account tokens, and previous issuers that are still accepted",
      ...atomic,
    }),
  ),
  generations: Type.Optional(
    Type.Array(generation, {
      description: "what was last handled of objects; this operator does not write it",
      ...mapOf("group", "resource", "namespace", "name"),
    }),
  ),
  observedGeneration: Type.Optional(
    Type.Integer({
      format: "int64",
      description: "the generation that was last handled; this operator does not write it",
    }),
  ),
  readyReplicas: int32("how many API servers are ready; this operator does not write it"),
  version: text("the version that runs; this operator does not write it"),
};

const description = "how the API servers are";
export const kubeApiServerStatus = Type.Object(members, { description });
/** Status with the feature gate `KMSEncryption`. */
export const kubeApiServerStatusWithKms = Type.Object({ ...members, encryptionStatus }, { description });
