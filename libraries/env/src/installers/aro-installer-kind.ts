import { accessSync, constants, mkdirSync } from "node:fs";
import { aroInstaller, storedGraph } from "@keelson/installers";
import { Type } from "typebox";
import { usable } from "../files/config-files.ts";
import { readDevelopmentProxyFiles } from "./development-proxy-files.ts";
import { installerKind } from "./installer-kind.ts";
import { developmentProblems, installerSettings, readGraphKey } from "./installer-settings.ts";
import { pullSecretFileSchema, readPullSecret } from "./pull-secret-file.ts";

const schema = Type.Object(
  {
    kind: Type.Literal("aro-installer"),
    command: Type.Array(Type.String({ minLength: 1 }), {
      minItems: 1,
      description:
        "absolute path of ARO's installer (/bin/openshift-install of its image). Additional array elements are arguments that precede the installer's arguments",
    }),
    workingFolder: Type.String({
      minLength: 1,
      description:
        "directory of running installations, on a local disk. No other process may use this directory",
    }),
    ...installerSettings,
    pullSecretFile: pullSecretFileSchema,
    processEnvironment: Type.Record(Type.String({ pattern: "^[A-Za-z_][A-Za-z0-9_]*$" }), Type.String(), {
      additionalProperties: false,
      default: {},
      description:
        "environment variables without the prefix, for example HTTPS_PROXY. The installer does not inherit the service's environment",
    }),
    timeoutMs: Type.Integer({
      minimum: 60_000,
      maximum: 3_600_000,
      default: 3_600_000,
      description:
        "maximum time without output of the installer. The total time is limited to three times this value",
    }),
  },
  { additionalProperties: false },
);

export const aroInstallerKind = installerKind({
  schema,
  contradictions: (installer) => [
    ...(hasAbsoluteCommand(installer)
      ? []
      : ["/installer/command/0 must be the absolute path of ARO's installer"]),
    ...developmentProblems(installer),
  ],
  create({ command, workingFolder, graphKeyFile, pullSecretFile, developmentProxy, ...settings }) {
    const [program = ""] = command;
    usable("installer.command", program, () => accessSync(program, constants.X_OK));
    usable("installer.workingFolder", workingFolder, () => {
      mkdirSync(workingFolder, { recursive: true, mode: 0o700 });
      accessSync(workingFolder, constants.W_OK);
    });
    const { environment, processEnvironment, registry, timeoutMs } = settings;
    return aroInstaller({
      ...{ command, environment, processEnvironment, registry, timeoutMs },
      workDirectory: workingFolder,
      readGraph: storedGraph(readGraphKey(graphKeyFile)),
      ...(developmentProxy ? { developmentProxy: readDevelopmentProxyFiles(developmentProxy) } : {}),
      ...readPullSecret(pullSecretFile),
    });
  },
});

function hasAbsoluteCommand(installer: unknown): boolean {
  const command: unknown = Reflect.get(Object(installer), "command");
  return !Array.isArray(command) || typeof command[0] !== "string" || command[0].startsWith("/");
}
