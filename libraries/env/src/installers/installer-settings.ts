import { Secret, stringAt } from "@keelson/base";
import { Type } from "typebox";
import { readConfigFile } from "../files/config-files.ts";
import { developmentProxySchema } from "./development-proxy-files.ts";

/** Settings of ARO's installer. Either Hive or this service runs the installer. */
export const installerSettings = {
  graphKeyFile: Type.String({
    minLength: 1,
    description:
      "64 bytes, base64: the secret encryption-key-v2, with which ARO's installer encrypts its generated files",
  }),
  environment: Type.Record(Type.String({ pattern: "^[A-Z][A-Z0-9_]*$" }), Type.String(), {
    additionalProperties: false,
    default: {},
    description:
      "environment variables of ARO's installer, for example KEYVAULT_PREFIX. Each name gets the prefix ARO_",
  }),
  developmentProxy: Type.Optional(developmentProxySchema),
  registry: Type.Optional(
    Type.String({ minLength: 1, description: "registry with copies of images of quay.io" }),
  ),
};

/** Reads the encryption key of the installer's graph. @throws InvalidConfiguration */
export function readGraphKey(graphKeyFile: string): Secret {
  return new Secret(readConfigFile("installer.graphKeyFile", graphKeyFile).trim());
}

/** Returns a fault if the configuration enables development mode without the files of the development proxy. */
export function developmentProblems(installer: unknown): readonly string[] {
  if (!isDevelopment(installer) || Object.hasOwn(Object(installer), "developmentProxy")) return [];
  return ["/installer/developmentProxy is required for RP_MODE development: the installer needs its files"];
}

/** True if the installer runs in development mode. */
function isDevelopment(installer: unknown): boolean {
  return stringAt(installer, "environment", "RP_MODE")?.toLowerCase() === "development";
}
