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
        "Minutes after which a drain ignores PodDisruptionBudgets. 0: the expected duration of the drain",
    },
    capacityReservation: {
      type: "boolean",
      description: "True to add a node before the upgrade",
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
    upgradeAt: text("Start time of the upgrade in RFC 3339"),
  },
};

const condition = {
  type: "object",
  required: ["status", "type"],
  properties: {
    type: text("Name of the step"),
    status: text("True, False or Unknown"),
    reason: text("Reason of the status in CamelCase"),
    message: text("Human-readable message"),
    startTime: time("Start time of the step"),
    completeTime: time("Completion time of the step"),
    lastProbeTime: time("Time of the last check"),
    lastTransitionTime: time("Time of the last status change"),
  },
};

const history = {
  type: "object",
  required: ["phase"],
  properties: {
    phase: {
      type: "string",
      enum: ["New", "Pending", "Upgrading", "Upgraded", "Failed"],
      description: "Phase of the upgrade",
    },
    version: text("Target version"),
    precedingVersion: text("Version before the upgrade"),
    startTime: time("Start time of the upgrade"),
    completeTime: time("Completion time of the upgrade"),
    workerStartTime: time("Start time of the worker upgrade"),
    workerCompleteTime: time("Completion time of the worker upgrade"),
    conditions: { type: "array", description: "Steps of the upgrade", items: condition },
  },
};

const column = (name: string, jsonPath: string) => ({ name, jsonPath, type: "string" });
const step = ".status.history[0].conditions[0]";

/** CustomResourceDefinition of UpgradeConfig. An UpgradeConfig requests an upgrade from the managed upgrade operator. */
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
              description: "Upgrade of the cluster and its previous upgrades",
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
