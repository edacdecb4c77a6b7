import { statusOf, type VaultSecrets, type VaultSecretVersion } from "@keelson/azure";

/** The newest version of a secret that may be read; `undefined` where there is none. */
export async function newestVersion(
  vault: VaultSecrets,
  name: string,
  signal: AbortSignal,
): Promise<VaultSecretVersion | undefined> {
  const versions = await listedOrNone(vault, name, signal);
  return versions
    .filter(({ enabled }) => enabled)
    .toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime() || (a.version < b.version ? -1 : 1))
    .at(-1);
}

async function listedOrNone(
  vault: VaultSecrets,
  name: string,
  signal: AbortSignal,
): Promise<readonly VaultSecretVersion[]> {
  try {
    return await vault.listVersions(name, signal);
  } catch (error) {
    if (statusOf(error) === 404) return [];
    throw error;
  }
}
