import { join } from "node:path";
import { hostEntries, inPrivateRoot, isCoded } from "@keelson/base";
import { installerErrors } from "../install/errors.ts";
import { type InstallDirectory, privateDirectories } from "./install-directory.ts";

/**
 * Returns a command line that runs `command` in a separate mount namespace. There, the installation's files are at the root of
 * the file system, and the work directory is `/output`. The command cannot see the directory `installs`, which contains the files
 * of all installations.
 * @throws InstallerUnavailable
 */
export async function inInstallerRoot(
  directory: InstallDirectory,
  installs: string,
  command: readonly string[],
): Promise<readonly string[]> {
  const entries = [
    ...hostEntries({}),
    ...privateDirectories.map((name) => ({ path: `/${name}`, source: join(directory.files, name) })),
    { path: installs, isEmpty: true as const },
  ];
  const root = { mountPoint: directory.root, workDirectory: "/output", entries };
  try {
    return await inPrivateRoot(root, command);
  } catch (error) {
    if (!isCoded(error, "NamespaceUnavailable")) throw error;
    const message = `ARO's installer cannot start: ${error.message} Or install clusters by Hive.`;
    throw installerErrors.InstallerUnavailable(message, { cause: error });
  }
}
