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
    reason: text("reason of the status in CamelCase"),
    message: text("human-readable message"),
    lastTransitionTime: Type.String({ format: "date-time", description: "time of the last status change" }),
  },
  { description: "condition of a controller" },
);

const generation = Type.Object(
  {
    group: Type.String({ description: "API group of the resource" }),
    resource: Type.String({ description: "plural name of the resource" }),
    namespace: Type.String({ description: "namespace of the object" }),
    name: Type.String({ description: "name of the object" }),
    lastGeneration: Type.Optional(
      Type.Integer({ format: "int64", description: "generation of the object that was last processed" }),
    ),
    hash: text("hash of the content of objects without a generation"),
  },
  { description: "last processed state of an object" },
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
        description: "UID of the node. It distinguishes nodes with the same name",
      }),
    ),
    currentRevision: int32("current revision. Cannot be set when the entry is created", onlyIncreases),
    targetRevision: int32("revision that is being installed. 0 or unset if there is none"),
    lastFailedRevision: int32("latest revision with a failed installation"),
    lastFailedTime: time("time of the last failure"),
    lastFailedReason: text("reason of the failure in CamelCase"),
    lastFailedCount: Type.Optional(Type.Integer({ description: "number of failed installations" })),
    lastFallbackCount: Type.Optional(
      Type.Integer({ description: "number of fallbacks to an older revision" }),
    ),
    lastFailedRevisionErrors: Type.Optional(
      Type.Array(Type.String(), { description: "human-readable errors", ...atomic }),
    ),
  },
  {
    description: "rollout status of a node",
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
  name: text("issuer name in tokens"),
  expirationTime: time("time until which its tokens are accepted. Unset for the current issuer"),
});

const members = {
  conditions: Type.Optional(
    Type.Array(condition, { description: "conditions of the controllers", ...mapOf("type") }),
  ),
  latestAvailableRevision: int32("newest complete revision", onlyIncreases),
  latestAvailableRevisionReason: text("reason for the newest revision"),
  nodeStatuses: Type.Optional(
    Type.Array(nodeStatus, {
      description: "rollout status of each node",
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
      description: "last processed state of objects. Not written by this operator",
      ...mapOf("group", "resource", "namespace", "name"),
    }),
  ),
  observedGeneration: Type.Optional(
    Type.Integer({
      format: "int64",
      description: "last processed generation. Not written by this operator",
    }),
  ),
  readyReplicas: int32("number of ready API servers. Not written by this operator"),
  version: text("current version. Not written by this operator"),
};

const description = "status of the API servers";
export const kubeApiServerStatus = Type.Object(members, { description });
/** Schema of the status with the feature gate `KMSEncryption`. */
export const kubeApiServerStatusWithKms = Type.Object({ ...members, encryptionStatus }, { description });
