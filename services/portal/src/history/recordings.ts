import { isCoded, isPlainObject } from "@keelson/base";
import {
  type ClusterDocument,
  isBoundTo,
  type ServiceDatabase,
  type SshRecordingDocument,
} from "@keelson/model";
import type { Recordings, RecordingView } from "@keelson/portal-api";
import { portalErrors } from "../errors/portal-errors.ts";

/** Number of recordings per page. It is small, because each recording is read completely and may have half a megabyte. */
const perPage = 25;

interface Page {
  readonly subscription: string;
  readonly cluster: string;
  readonly continuation?: string | undefined;
}

/**
 * Lists recorded SSH connections to the cluster, newest first. If the cluster no longer exists, lists the recordings of deleted
 * clusters with its name.
 */
export async function readRecordings(
  database: ServiceDatabase,
  { subscription, cluster, continuation }: Page,
  signal: AbortSignal,
): Promise<Recordings> {
  const query = { partitionKey: subscription, where: { clusterKey: cluster }, orderBy: "newestFirst" };
  const [page, current] = await Promise.all([
    database.collections.sshRecordings
      .list({ ...query, limit: perPage, continuation }, signal)
      .catch((error: unknown) => {
        if (!isCoded(error, "InvalidQuery")) throw error;
        throw portalErrors.BadRequest("The continuation is not one of a previous page.", { cause: error });
      }),
    findCurrent(database, subscription, cluster, signal),
  ]);
  const shown = page.items.filter(({ document }) => isShown(document, current));
  // The list ends at the first recording of an earlier cluster, because all recordings of the current cluster are newer.
  const isLast = page.continuation === undefined || shown.length < page.items.length;
  return {
    recordings: shown.map(({ document }) => recordingView(document)),
    ...(isLast ? {} : { continuation: page.continuation }),
  };
}

/**
 * Returns a recording as an asciicast. If the cluster no longer exists, the recording may belong to a deleted cluster with its
 * name. Undefined if there is no such recording.
 */
export async function findRecording(
  database: ServiceDatabase,
  { subscription, cluster, id }: Omit<Page, "continuation"> & { readonly id: string },
  signal: AbortSignal,
): Promise<string | undefined> {
  const [stored, current] = await Promise.all([
    database.collections.sshRecordings.find(subscription, id, signal),
    findCurrent(database, subscription, cluster, signal),
  ]);
  if (stored?.document.clusterKey !== cluster || !isShown(stored.document, current)) return undefined;
  return stored.document.recording.reveal();
}

async function findCurrent(
  { collections: { clusters } }: ServiceDatabase,
  subscription: string,
  cluster: string,
  signal: AbortSignal,
): Promise<ClusterDocument | undefined> {
  return (await clusters.findBy(subscription, "key", cluster, signal))?.document;
}

function isShown(
  { clusterDocumentId, startedAt }: SshRecordingDocument,
  current: ClusterDocument | undefined,
): boolean {
  return !current || isBoundTo(current, clusterDocumentId, startedAt);
}

function recordingView(document: SshRecordingDocument): RecordingView {
  const { id, username, master, kind, session, startedAt, endedAt, truncated } = document;
  const command = commandIn(document.recording.reveal());
  return {
    id,
    username,
    master,
    kind,
    ...(command === undefined ? {} : { command }),
    session,
    startedAt,
    ...(endedAt === undefined ? {} : { endedAt }),
    truncated,
  };
}

/** Returns the command from the header of an asciicast, which is its first line. */
function commandIn(recording: string): string | undefined {
  const [line = ""] = recording.split("\n", 1);
  const header: unknown = JSON.parse(line);
  return isPlainObject(header) && typeof header.command === "string" ? header.command : undefined;
}
