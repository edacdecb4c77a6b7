import { statusOf, type VaultSecrets, type VaultSecretVersion } from "@keelson/azure";

/** Returns the newest readable version of a secret. Undefined without one. */
export async function newestVersion(
  vault: VaultSecrets,
  name: string,
  signal: AbortSignal,
): Promise<VaultSecretVersion | undefined> {
  return (await enabledVersions(vault, name, signal))[0];
}

/** Returns the readable versions of a secret, newest first. */
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
 * Returns the versions for machines of two successive deployments, which must open each other's documents. The
 * first version seals, all of them open. A new version only opens until the next deployment, because the
 * machines of this one then know it.
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
