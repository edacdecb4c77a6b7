import { CloudError, parseResourceId } from "@keelson/arm";
import { isNotFound } from "@keelson/azure";
import type { OpenShiftCluster } from "@keelson/model";
import { linkedKinds } from "./linked-kinds.ts";
import { requireRights, type Subject } from "./subject.ts";

/** Checks that the disk encryption sets exist, are in the cluster's region, and can be read. */
export async function validateDiskEncryptionSets(
  subject: Subject,
  cluster: OpenShiftCluster,
  signal: AbortSignal,
): Promise<void> {
  for (const { id, target } of diskEncryptionSetsOf(cluster)) {
    await requireRights(subject, "diskEncryptionSet", id, { target, signal });
    const location = await locationOf(subject, id, target, signal);
    if (location.toLowerCase() === cluster.location.toLowerCase()) continue;
    throw new CloudError(
      "InvalidLinkedDiskEncryptionSet",
      `The disk encryption set location '${location}' must match the cluster location '${cluster.location}'.`,
    );
  }
}

/** Returns each requested disk encryption set once, with the path of the first field that names it. */
function diskEncryptionSetsOf({ properties }: OpenShiftCluster) {
  const { diskEncryptionSetId } = properties.masterProfile;
  const all = [
    { id: diskEncryptionSetId, target: "properties.masterProfile.diskEncryptionSetId" },
    ...properties.workerProfiles.map((profile, index) => ({
      id: profile.diskEncryptionSetId,
      target: `properties.workerProfiles[${index}].diskEncryptionSetId`,
    })),
  ].flatMap(({ id, target }) => (id ? [{ id, target }] : []));
  return Map.groupBy(all, ({ id }) => id.toLowerCase())
    .values()
    .flatMap(([first]) => (first ? [first] : []));
}

async function locationOf(
  { azure }: Subject,
  id: string,
  target: string,
  signal: AbortSignal,
): Promise<string> {
  const parsed = parseResourceId(id);
  const name = parsed?.path[0]?.[1];
  if (!parsed || !name) throw new Error(`${id} is not the ID of a disk encryption set`);
  const { diskEncryptionSets } = azure.compute;
  try {
    return (await diskEncryptionSets.get(parsed.resourceGroup, name, azure.call(signal))).location;
  } catch (cause) {
    if (!isNotFound(cause)) throw cause;
    const { absentCode, absentText } = linkedKinds.diskEncryptionSet;
    throw new CloudError(absentCode, absentText(id), { target, cause });
  }
}
