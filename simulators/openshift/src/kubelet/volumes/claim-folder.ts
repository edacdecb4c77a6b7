import { mkdir, rename, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { KubeObject } from "@keelson/apiserver";
import { resources } from "../../base/resources.ts";
import { ContainerConfigError } from "../containers/container-environment.ts";
import { folderName } from "../containers/folder-name.ts";
import type { VolumeDeps } from "./volume-deps.ts";

/** Name of the directory with the claims by UID. It is not a valid namespace name. */
const byUid = "_claims";

/**
 * Returns the directory of a claim. It is named after the claim's UID, so a later claim with the same name starts empty. @throws
 * ContainerConfigError if the claim does not exist
 */
export async function claimFolder(
  { context, claimsFolder }: Pick<VolumeDeps, "context" | "claimsFolder">,
  pod: KubeObject,
  claimName: string,
): Promise<string> {
  const namespace = folderName("namespace", pod.metadata.namespace ?? "");
  const name = folderName("claimName", claimName);
  const claim = await context.client.find(resources.persistentVolumeClaims, { namespace, name });
  const { uid, creationTimestamp = "" } = claim?.metadata ?? {};
  if (uid === undefined) throw new ContainerConfigError(`persistentvolumeclaim "${claimName}" not found`);
  const folder = join(claimsFolder, byUid, folderName("uid", uid));
  await adoptFolder(join(claimsFolder, namespace, name), folder, Date.parse(creationTimestamp));
  return folder;
}

/**
 * Moves a claim directory of an earlier release, which is named after the claim. A directory older than the claim belongs to a
 * previous claim and is not moved.
 */
async function adoptFolder(named: string, folder: string, createdMs: number): Promise<void> {
  const made = await stat(named).catch(() => undefined);
  if (!made || Math.ceil(made.birthtimeMs) < createdMs) return;
  await mkdir(dirname(folder), { recursive: true });
  // An existing target directory already contains the claim's data.
  await rename(named, folder).catch(() => undefined);
}
