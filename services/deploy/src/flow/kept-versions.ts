import type { DeployedSecrets } from "./secrets.ts";

type Versions = Pick<DeployedSecrets, "skipTokenVersion" | "portal">;

/** The versions of keys that machines of a set share, as the set's tag: `SKIPTOKEN` or `SKIPTOKEN:SESSION,SESSION`. */
export function versionsTag({ skipTokenVersion, portal }: Versions): string {
  return portal ? `${skipTokenVersion}:${portal.sessionKeyVersions.join(",")}` : skipTokenVersion;
}

/**
 * The secrets with the versions with which a set was made: machines that come to it later open what the others seal. All that a tag
 * does not say is new, as for a set without one.
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
