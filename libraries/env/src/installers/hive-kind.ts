import { hiveInstaller, storedGraph } from "@keelson/installers";
import { Type } from "typebox";
import { configErrors } from "../files/config-errors.ts";
import { readDevelopmentProxyFiles } from "./development-proxy-files.ts";
import { installerKind } from "./installer-kind.ts";
import { developmentProblems, installerSettings, readGraphKey } from "./installer-settings.ts";
import { pullSecretFileSchema, readPullSecret } from "./pull-secret-file.ts";

const schema = Type.Object(
  {
    kind: Type.Literal("hive"),
    ...installerSettings,
    pullSecretFile: pullSecretFileSchema,
    installerPullspec: Type.Optional(
      Type.String({
        minLength: 1,
        description: "image of the installer, instead of the image of the OpenShift version",
      }),
    ),
  },
  { additionalProperties: false },
);

export const hiveKind = installerKind({
  schema,
  contradictions: (installer, hasHive) => [
    ...(hasHive ? [] : ["/hive is required for installer.kind hive: its kubeconfigFile locates Hive"]),
    ...developmentProblems(installer),
  ],
  create(
    { environment, registry, installerPullspec, graphKeyFile, pullSecretFile, developmentProxy },
    { hive: kube },
  ) {
    if (!kube)
      throw configErrors.InvalidConfiguration("hive.kubeconfigFile is needed for installer.kind hive");
    return hiveInstaller({
      kube,
      environment,
      readGraph: storedGraph(readGraphKey(graphKeyFile)),
      registry,
      installerPullspec,
      developmentProxy: developmentProxy && readDevelopmentProxyFiles(developmentProxy),
      ...readPullSecret(pullSecretFile),
    });
  },
});
