import { Type } from "typebox";

const text = (description: string) => Type.Optional(Type.String({ description }));
const revisionLimit = (which: string) =>
  Type.Optional(
    Type.Integer({
      format: "int32",
      description: `number of ${which} revisions that are kept on disks and in the API. -1 keeps all. Default: 5`,
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
/** Returns the schema of a partial configuration, which accepts any fields. */
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
        description:
          "management state. The operator always acts, because nothing else would repair the API servers",
      }),
    ),
    logLevel: level("log level of the API servers, which sets -v to 2, 4, 6 or 10"),
    operatorLogLevel: level("log level of the operator"),
    observedConfig: sparseConfig(
      "configuration that the operator derives from the cluster. Written by the operator",
    ),
    unsupportedConfigOverrides: sparseConfig(
      "configuration that overrides all other settings of the API servers. It blocks upgrades while it is set",
    ),
    forceRedeploymentReason: text("a changed value starts a new revision with the same configuration"),
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
  { description: "desired state of the API servers" },
);
