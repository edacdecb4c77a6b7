import { accessSync, constants, mkdirSync } from "node:fs";
import { Secret } from "@keelson/base";
import { openshiftInstaller } from "@keelson/installers";
import { Type } from "typebox";
import { usable } from "../files/config-files.ts";
import { type InstallerDeps, installerKind } from "./installer-kind.ts";
import { pullSecretFileSchema, readPullSecret } from "./pull-secret-file.ts";

const schema = Type.Object(
  {
    kind: Type.Literal("openshift-install"),
    command: Type.Array(Type.String({ minLength: 1 }), {
      minItems: 1,
      description: "absolute path of openshift-install, and arguments before its own",
    }),
    workingFolder: Type.String({
      minLength: 1,
      description:
        "directory for files of running installs: on a disk, for this service alone, on one machine",
    }),
    pullSecretFile: pullSecretFileSchema,
    environment: Type.Record(Type.String({ pattern: "^[A-Za-z_][A-Za-z0-9_]*$" }), Type.String(), {
      additionalProperties: false,
      default: {},
      description:
        "further variables of its environment, for example HTTPS_PROXY; it gets none of the service's",
    }),
    timeoutMs: Type.Integer({
      minimum: 60_000,
      maximum: 3_600_000,
      default: 3_600_000,
      description: "longest time of an install",
    }),
  },
  { additionalProperties: false },
);

export const openshiftInstallKind = installerKind({
  schema,
  contradictions: (installer) =>
    isAbsolute(installer) ? [] : ["/installer/command/0 must be the absolute path of openshift-install"],
  create({ command, workingFolder, environment, timeoutMs, pullSecretFile }, deps) {
    usable("installer.command", command[0] ?? "", () => accessSync(command[0] ?? "", constants.X_OK));
    usable("installer.workingFolder", workingFolder, () => {
      mkdirSync(workingFolder, { recursive: true, mode: 0o700 });
      accessSync(workingFolder, constants.W_OK);
    });
    const serviceCredentials = servicePrincipalFile(deps);
    return openshiftInstaller({
      ...{ command, workingFolder, environment, timeoutMs, serviceCredentials },
      ...readPullSecret(pullSecretFile),
    });
  },
});

function isAbsolute(installer: unknown): boolean {
  const command: unknown = Reflect.get(Object(installer), "command");
  return !Array.isArray(command) || typeof command[0] !== "string" || command[0].startsWith("/");
}

function servicePrincipalFile({ firstParty, subscriptionId }: InstallerDeps): Secret {
  const { tenantId, clientId, clientSecret } = firstParty;
  return new Secret(
    JSON.stringify({ subscriptionId, clientId, clientSecret: clientSecret.reveal(), tenantId }),
  );
}
