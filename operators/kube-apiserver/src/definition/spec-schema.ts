import { Type } from "typebox";

const text = (description: string) => Type.Optional(Type.String({ description }));
const revisionLimit = (which: string) =>
  Type.Optional(
    Type.Integer({
      format: "int32",
      description: `how many ${which} revisions stay on disks and in the API: -1 for all; 5 when 0 or absent`,
    }),
  );
const level = (description: string) =>
  Type.Optional(
    Type.Unsafe<"" | "Normal" | "Debug" | "Trace" | "TraceAll">({
      type: "string",
      enum: ["", "Normal", "Debug", "Trace", "TraceAll"],
      default: "Normal",
      description,
    }),
  );
/** Partial configuration without a schema. */
const sparseConfig = (description: string) =>
  Type.Optional(
    Type.Unsafe<Readonly<Record<string, unknown>> | null>({
      type: "object",
      nullable: true,
      "x-kubernetes-preserve-unknown-fields": true,
      description,
    }),
  );

export const kubeApiServerSpec = Type.Object(
  {
    managementState: Type.Optional(
      Type.String({
        pattern: "^(Managed|Force)$",
        description: "whether the operator acts: always, as nothing else would repair API servers",
      }),
    ),
    logLevel: level("how much API servers log; -v is 2, 4, 6 or 10"),
    operatorLogLevel: level("how much the operator logs"),
    observedConfig: sparseConfig("what the operator's observers make of the cluster; the operator writes it"),
    unsupportedConfigOverrides: sparseConfig(
      "wins over everything else in the configuration of API servers; no upgrade begins while it is set",
    ),
    forceRedeploymentReason: text("any new text begins a revision of the same configuration"),
    failedRevisionLimit: revisionLimit("failed"),
    succeededRevisionLimit: revisionLimit("successful"),
    eventTTLMinutes: Type.Optional(
      Type.Integer({
        format: "int32",
        minimum: 5,
        maximum: 180,
        description: "minutes until API servers delete an Event. Default: 180",
      }),
    ),
  },
  { description: "how the API servers should be" },
);
