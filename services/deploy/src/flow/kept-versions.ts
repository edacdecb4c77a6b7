import type { DeployedSecrets } from "./secrets.ts";

type Versions = Pick<DeployedSecrets, "skipTokenVersion" | "portal">;

/** Returns the value of the scale set tag with the shared key versions: `SKIPTOKEN` or `SKIPTOKEN:SESSION,SESSION`. */
export function versionsTag({ skipTokenVersion, portal }: Versions): string {
  return portal ? `${skipTokenVersion}:${portal.sessionKeyVersions.join(",")}` : skipTokenVersion;
}

/**
 * Returns the secrets with the key versions recorded in the scale set's tag. New machines of the set can then decrypt data of the
 * existing machines. Versions missing from the tag remain those of `secrets`.
 */
export function withKeptVersions<Secrets extends Versions>(
  secrets: Secrets,
  tag: string | undefined,
): Secrets {
  const [, skipTokenVersion, , sessions] = /^([\w-]+)(:([\w-]+(?:,[\w-]+)*))?$/.exec(tag ?? "") ?? [];
  if (skipTokenVersion === undefined) return secrets;
  const { portal } = secrets;
  if (!portal || sessions === undefined) return { ...secrets, skipTokenVersion };
  return { ...secrets, skipTokenVersion, portal: { ...portal, sessionKeyVersions: sessions.split(",") } };
}
