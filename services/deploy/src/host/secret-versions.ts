import { statusOf, type VaultSecrets, type VaultSecretVersion } from "@keelson/azure";

/** The newest version of a secret that may be read; `undefined` where there is none. */
export async function newestVersion(
  vault: VaultSecrets,
  name: string,
  signal: AbortSignal,
): Promise<VaultSecretVersion | undefined> {
  return (await enabledVersions(vault, name, signal))[0];
}

/** The versions of a secret that may be read, newest first. */
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
 * The order in which machines of two deployments, one in the place of the other, open what each other seal: the first seals, all
 * open. A new version only opens until the next deployment, which those of this one then know.
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
