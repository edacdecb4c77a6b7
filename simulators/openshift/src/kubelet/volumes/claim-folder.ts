import { mkdir, rename, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { KubeObject } from "@keelson/apiserver";
import { resources } from "../../base/resources.ts";
import { ContainerConfigError } from "../containers/container-environment.ts";
import { folderName } from "../containers/folder-name.ts";
import type { VolumeDeps } from "./volume-deps.ts";

/** Directory of claims by UID. No namespace has this name. */
const byUid = "_claims";

/**
 * Returns the directory of a claim. Its name is the claim's UID, so that a later claim of the same name
 * starts empty.
 * @throws ContainerConfigError if the claim does not exist
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

/** Moves a directory that an earlier release named after the claim, unless it is older than the claim. */
async function adoptFolder(named: string, folder: string, createdMs: number): Promise<void> {
  const made = await stat(named).catch(() => undefined);
  if (!made || Math.ceil(made.birthtimeMs) < createdMs) return;
  await mkdir(dirname(folder), { recursive: true });
  // An existing directory contains data of this claim.
  await rename(named, folder).catch(() => undefined);
}
