import type { DeployedSecrets } from "./secrets.ts";

type Versions = Pick<DeployedSecrets, "skipTokenVersion" | "portal">;

/** Returns the value of the scale set tag that records the shared key versions: `SKIPTOKEN` or `SKIPTOKEN:SESSION,SESSION`. */
export function versionsTag({ skipTokenVersion, portal }: Versions): string {
  return portal ? `${skipTokenVersion}:${portal.sessionKeyVersions.join(",")}` : skipTokenVersion;
}

/**
 * Returns `secrets` with the key versions that the scale set's tag records. New machines of the scale set can then decrypt data
 * of the existing machines. If the tag lacks a version, the version in `secrets` is kept.
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
