import { Secret } from "@keelson/base";
import { Type } from "typebox";
import { readConfigFile, usable } from "../files/config-files.ts";

export const pullSecretFileSchema = Type.Optional(
  Type.String({
    minLength: 1,
    description:
      "JSON file with credentials for the registries of OpenShift's images, in Docker's format: `auths`",
  }),
);

/** Reads the service's pull secret. @throws InvalidConfiguration if the file contains no valid pull secret */
export function readPullSecret(path: string | undefined): { readonly pullSecret?: Secret } {
  if (path === undefined) return {};
  const text = readConfigFile("installer.pullSecretFile", path);
  usable("installer.pullSecretFile", path, () => {
    if (!isPullSecret(text)) throw new Error("it is not a JSON object with `auths`");
  });
  return { pullSecret: new Secret(text) };
}

function isPullSecret(text: string): boolean {
  try {
    const auths: unknown = JSON.parse(text)?.auths;
    return typeof auths === "object" && auths !== null;
  } catch {
    return false;
  }
}
