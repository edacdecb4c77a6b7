import { isPlainObject } from "@keelson/base";
import type { ServiceDatabase, SshRecordingDocument } from "@keelson/model";
import type { Recordings, RecordingView } from "@keelson/portal-api";

/** Each is read whole, half a megabyte at most. */
const perPage = 25;

interface Page {
  readonly subscription: string;
  readonly cluster: string;
  readonly continuation?: string;
}

/** What was recorded of SSH connections to a cluster, the newest first, also of one that is gone. */
export async function readRecordings(
  database: ServiceDatabase,
  { subscription, cluster, continuation }: Page,
  signal: AbortSignal,
): Promise<Recordings> {
  const page = await database.collections.sshRecordings.list(
    {
      partitionKey: subscription,
      where: { clusterKey: cluster },
      orderBy: "newestFirst",
      limit: perPage,
      ...(continuation === undefined ? {} : { continuation }),
    },
    signal,
  );
  return {
    recordings: page.items.map(({ document }) => recordingView(document)),
    ...(page.continuation === undefined ? {} : { continuation: page.continuation }),
  };
}

/** One recording of a cluster as an asciicast; `undefined` where there is none of that ID. */
export async function findRecording(
  database: ServiceDatabase,
  { subscription, cluster, id }: Omit<Page, "continuation"> & { readonly id: string },
  signal: AbortSignal,
): Promise<string | undefined> {
  const stored = await database.collections.sshRecordings.find(subscription, id, signal);
  return stored?.document.clusterKey === cluster ? stored.document.recording.reveal() : undefined;
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

/** Of the header of an asciicast, which is its first line. */
function commandIn(recording: string): string | undefined {
  const [line = ""] = recording.split("\n", 1);
  const header: unknown = JSON.parse(line);
  return isPlainObject(header) && typeof header.command === "string" ? header.command : undefined;
}
