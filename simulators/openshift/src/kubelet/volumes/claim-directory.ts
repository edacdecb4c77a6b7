import { mkdir, rename, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { KubeObject } from "@keelson/apiserver";
import { resources } from "../../base/resources.ts";
import { ContainerConfigError } from "../containers/container-environment.ts";
import { directoryName } from "../containers/directory-name.ts";
import type { VolumeDeps } from "./volume-deps.ts";

/**
 * Directory with one subdirectory for each claim. The claim's UID is the name of the subdirectory. The siblings of `_claims` are
 * directories of earlier releases, one per namespace. A namespace name cannot contain `_`.
 */
const byUid = "_claims";

/**
 * Returns the directory of a claim. It is named after the claim's UID, so a later claim with the same name starts empty.
 * @throws ContainerConfigError if the claim does not exist
 */
export async function claimDirectory(
  { context, claimsDirectory }: Pick<VolumeDeps, "context" | "claimsDirectory">,
  pod: KubeObject,
  claimName: string,
): Promise<string> {
  const namespace = directoryName("namespace", pod.metadata.namespace ?? "");
  const name = directoryName("claimName", claimName);
  const claim = await context.client.find(resources.persistentVolumeClaims, { namespace, name });
  const { uid, creationTimestamp = "" } = claim?.metadata ?? {};
  if (uid === undefined) throw new ContainerConfigError(`persistentvolumeclaim "${claimName}" not found`);
  const directory = join(claimsDirectory, byUid, directoryName("uid", uid));
  await adoptDirectory(join(claimsDirectory, namespace, name), directory, Date.parse(creationTimestamp));
  return directory;
}

/**
 * Moves the directory of a claim that an earlier release created under the claim's name. A directory that is older than the claim
 * is not moved, because it belongs to a deleted claim with this name.
 */
async function adoptDirectory(named: string, directory: string, createdMs: number): Promise<void> {
  const made = await stat(named).catch(() => undefined);
  if (!made || Math.ceil(made.birthtimeMs) < createdMs) return;
  await mkdir(dirname(directory), { recursive: true });
  // The move fails if the target directory exists. In this case, it already contains the claim's data.
  await rename(named, directory).catch(() => undefined);
}
