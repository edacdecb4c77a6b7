import { type Static, Type } from "typebox";
import { statusConditions } from "./status-conditions.ts";

const text = (description: string) => Type.Optional(Type.String({ description }));

export const previewFeatureSpec = Type.Object(
  {
    nsgFlowLogs: Type.Optional(
      Type.Object(
        {
          enabled: Type.Boolean({
            description: "whether flow logs are on; absent settings leave them alone",
          }),
          version: Type.Optional(
            Type.Integer({ enum: [1, 2], default: 2, description: "format of the logs" }),
          ),
          networkWatcherID: text("ARM ID of the network watcher"),
          storageAccountResourceId: text("ARM ID of the storage account that takes the logs"),
          retentionDays: Type.Optional(
            Type.Integer({ format: "int32", default: 90, description: "how long logs are kept" }),
          ),
          trafficAnalyticsLogAnalyticsWorkspaceId: text("ID of the workspace of traffic analytics"),
          trafficAnalyticsInterval: Type.Optional(
            Type.String({
              enum: ["60m", "10m"],
              default: "60m",
              description: "how often traffic is analysed",
            }),
          ),
        },
        { description: "flow logs of the network security groups of the cluster's subnets" },
      ),
    ),
  },
  { description: "features in preview that are on" },
);

export const previewFeatureStatus = Type.Object(
  {
    operatorVersion: text("version of the operator that last wrote this status"),
    conditions: statusConditions,
  },
  { description: "how the features do" },
);

export type PreviewFeatureSpec = Static<typeof previewFeatureSpec>;
export type PreviewFeatureStatus = Static<typeof previewFeatureStatus>;
