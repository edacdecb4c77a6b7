import { statusOf, type VaultSecrets, type VaultSecretVersion } from "@keelson/azure";

/** Returns the newest enabled version of a secret. Returns undefined if no version is enabled. */
export async function newestVersion(
  vault: VaultSecrets,
  name: string,
  signal: AbortSignal,
): Promise<VaultSecretVersion | undefined> {
  return (await enabledVersions(vault, name, signal))[0];
}

/** Returns the enabled versions of a secret, newest first. */
export async function enabledVersions(
  vault: VaultSecrets,
  name: string,
  signal: AbortSignal,
): Promise<readonly VaultSecretVersion[]> {
  const versions = await listedOrNone(vault, name, signal);
  return versions
    .filter(({ enabled }) => enabled)
    .toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a.version < b.version ? 1 : -1));
}

/**
 * Returns the key versions for the machines of a deployment. The first version encrypts, and all versions decrypt. The second
 * newest version is the first in the result. A new version therefore encrypts only when all machines can already decrypt with it.
 */
export function sealingOrder(newestFirst: readonly string[]): readonly string[] {
  const [newest, before, ...older] = newestFirst;
  return [before, newest, older[0]].filter((each) => each !== undefined);
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
