import { Secret, stringAt } from "@keelson/base";
import { hiveInstaller, storedGraph } from "@keelson/installers";
import { Type } from "typebox";
import { configErrors } from "../files/config-errors.ts";
import { readConfigFile } from "../files/config-files.ts";
import { developmentProxySchema, readDevelopmentProxyFiles } from "./development-proxy-files.ts";
import { installerKind } from "./installer-kind.ts";
import { pullSecretFileSchema, readPullSecret } from "./pull-secret-file.ts";

const schema = Type.Object(
  {
    kind: Type.Literal("hive"),
    graphKeyFile: Type.String({
      minLength: 1,
      description:
        "64 bytes in base64: the secret encryption-key-v2 with which Hive's installer seals what it generates",
    }),
    pullSecretFile: pullSecretFileSchema,
    environment: Type.Record(Type.String({ pattern: "^[A-Z][A-Z0-9_]*$" }), Type.String(), {
      additionalProperties: false,
      default: {},
      description: "variables of Hive's installer, for example KEYVAULT_PREFIX; each gets the prefix ARO_",
    }),
    developmentProxy: Type.Optional(developmentProxySchema),
    registry: Type.Optional(
      Type.String({ minLength: 1, description: "registry with the service's copies of images of quay.io" }),
    ),
    installerPullspec: Type.Optional(
      Type.String({
        minLength: 1,
        description: "image of the installer, in place of what the version names",
      }),
    ),
  },
  { additionalProperties: false },
);

export const hiveKind = installerKind({
  schema,
  contradictions: (installer, hasHive) => [
    ...(hasHive
      ? []
      : ["/hive must be there for installer.kind hive: its kubeconfigFile says where Hive is"]),
    ...(isDevelopment(installer) && !Object.hasOwn(Object(installer), "developmentProxy")
      ? ["/installer/developmentProxy is required for RP_MODE development: the installer needs its files"]
      : []),
  ],
  create(
    { environment, registry, installerPullspec, graphKeyFile, pullSecretFile, developmentProxy },
    { hive: kube },
  ) {
    if (!kube)
      throw configErrors.InvalidConfiguration("hive.kubeconfigFile is needed for installer.kind hive");
    const key = new Secret(readConfigFile("installer.graphKeyFile", graphKeyFile).trim());
    return hiveInstaller({
      kube,
      environment,
      readGraph: storedGraph(key),
      registry,
      installerPullspec,
      ...(developmentProxy ? { developmentProxy: readDevelopmentProxyFiles(developmentProxy) } : {}),
      ...readPullSecret(pullSecretFile),
    });
  },
});

/** True if the installer runs in development mode. */
function isDevelopment(installer: unknown): boolean {
  return stringAt(installer, "environment", "RP_MODE")?.toLowerCase() === "development";
}
