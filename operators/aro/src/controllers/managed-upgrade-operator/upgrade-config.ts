import { type Manifest, manifest } from "@keelson/aro-api";
import { resources } from "@keelson/kube";

const text = (description: string) => ({ type: "string", description });
const time = (description: string) => ({ type: "string", format: "date-time", description });

const spec = {
  type: "object",
  description: "Which release the cluster upgrades to, and when",
  required: ["PDBForceDrainTimeout", "desired", "type", "upgradeAt"],
  properties: {
    PDBForceDrainTimeout: {
      type: "integer",
      format: "int32",
      minimum: 0,
      description:
        "Minutes after which a node drains in spite of a PodDisruptionBudget; with 0, once the expected time of its drain is over",
    },
    capacityReservation: {
      type: "boolean",
      description: "Whether another node is added before the upgrade begins",
    },
    desired: {
      type: "object",
      description: "The release",
      properties: {
        channel: text("Channel that offers the release"),
        image: text("Reference of the release image"),
        version: text("Version of the release"),
      },
    },
    type: { type: "string", enum: ["OSD", "ARO"], description: "Service that determines the upgrade method" },
    upgradeAt: text("When the upgrade begins, in RFC 3339"),
  },
};

const condition = {
  type: "object",
  required: ["status", "type"],
  properties: {
    type: text("Name of the step"),
    status: text("True, False or Unknown"),
    reason: text("Why it has this status, in one word"),
    message: text("Why it has this status, for people"),
    startTime: time("When the step began"),
    completeTime: time("When the step ended"),
    lastProbeTime: time("When the step was last checked"),
    lastTransitionTime: time("When the status last changed"),
  },
};

const history = {
  type: "object",
  required: ["phase"],
  properties: {
    phase: {
      type: "string",
      enum: ["New", "Pending", "Upgrading", "Upgraded", "Failed"],
      description: "How far the upgrade is",
    },
    version: text("Version of the release that the cluster upgrades to"),
    precedingVersion: text("Version of the release before the upgrade"),
    startTime: time("When the upgrade began"),
    completeTime: time("When the upgrade ended"),
    workerStartTime: time("When the upgrade of the workers began"),
    workerCompleteTime: time("When the upgrade of the workers ended"),
    conditions: { type: "array", description: "The steps of the upgrade", items: condition },
  },
};

const column = (name: string, jsonPath: string) => ({ name, jsonPath, type: "string" });
const step = ".status.history[0].conditions[0]";

/** CRD for upgrade requests to the operator. */
export const upgradeConfigDefinition: Manifest = manifest(
  resources.customResourceDefinitions,
  { name: "upgradeconfigs.upgrade.managed.openshift.io" },
  {
    spec: {
      group: "upgrade.managed.openshift.io",
      scope: "Namespaced",
      names: {
        kind: "UpgradeConfig",
        listKind: "UpgradeConfigList",
        plural: "upgradeconfigs",
        singular: "upgradeconfig",
        shortNames: ["upgrade"],
      },
      versions: [
        {
          name: "v1alpha1",
          served: true,
          storage: true,
          subresources: { status: {} },
          additionalPrinterColumns: [
            column("desired_version", ".spec.desired.version"),
            column("phase", ".status.history[0].phase"),
            column("stage", `${step}.type`),
            column("status", `${step}.status`),
            column("reason", `${step}.reason`),
            column("message", `${step}.message`),
          ],
          schema: {
            openAPIV3Schema: {
              type: "object",
              description: "An upgrade of the cluster, and the upgrades before it",
              properties: {
                apiVersion: { type: "string" },
                kind: { type: "string" },
                metadata: { type: "object" },
                spec,
                status: {
                  type: "object",
                  description: "How the upgrades went",
                  properties: { history: { type: "array", description: "The newest first", items: history } },
                },
              },
            },
          },
        },
      ],
    },
  },
);
