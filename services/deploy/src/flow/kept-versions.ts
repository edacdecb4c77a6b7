import type { DeployedSecrets } from "./secrets.ts";

type Versions = Pick<DeployedSecrets, "skipTokenVersion" | "portal">;

/**
 * Returns the key versions that machines of a set share, in the format of the set's tag: `SKIPTOKEN` or
 * `SKIPTOKEN:SESSION,SESSION`.
 */
export function versionsTag({ skipTokenVersion, portal }: Versions): string {
  return portal ? `${skipTokenVersion}:${portal.sessionKeyVersions.join(",")}` : skipTokenVersion;
}

/**
 * Returns the secrets with the versions that the scale set was created with. Machines that join it later can
 * then open documents that the others seal. Values that the tag does not contain are new, as for a set without a
 * tag.
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
