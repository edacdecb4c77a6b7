import { randomUUID } from "node:crypto";
import { type Clock, type Logger, messageOf, Secret, timeLimit } from "@keelson/base";
import { create, replace } from "@keelson/database";
import type { ServiceDatabase, SshRecordingDocument } from "@keelson/model";
import type { SessionStart } from "./bridge-session.ts";
import { TerminalRecording } from "./terminal-recording.ts";
import type { SshSession } from "./use-password.ts";

export interface RecordedChannelDeps {
  readonly database: ServiceDatabase;
  readonly session: SshSession;
  readonly start: SessionStart;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Interval in ms between two saves. If the portal is killed, output after the last save is lost. */
const savedEveryMs = 10_000;
const saveMs = 30_000;

/**
 * Saves the recording of one channel to the database. The recording is saved before the channel is used, then every few seconds,
 * and at the end. For subsystems, which transfer files, only the use is recorded and not the transferred data.
 */
export class RecordedChannel {
  readonly #deps: RecordedChannelDeps;
  readonly #recording: TerminalRecording;
  readonly #document: Omit<SshRecordingDocument, "recording" | "truncated">;
  readonly #closed = new AbortController();
  #changed = false;
  #etag: string | undefined;
  /** Resolves when the last write has ended. Writes run one after the other. */
  #saved: Promise<void>;

  constructor(deps: RecordedChannelDeps) {
    const { session, start, clock } = deps;
    const { kind, command, width, height } = start;
    const now = clock.now();
    const [, , subscription = ""] = session.clusterId.split("/");
    this.#deps = deps;
    this.#recording = new TerminalRecording({ width, height, command }, clock);
    this.#document = {
      id: randomUUID(),
      partitionKey: subscription,
      clusterKey: session.clusterId,
      clusterDocumentId: session.clusterDocumentId,
      newestFirst: -now.getTime(),
      session: session.id,
      username: session.username,
      master: session.master,
      kind,
      startedAt: now.toISOString(),
    };
    this.#saved = this.#save();
    void this.#saveAgain();
  }

  output(bytes: Buffer): void {
    if (this.#deps.start.kind === "subsystem") return;
    this.#recording.output(bytes);
    this.#changed = true;
  }

  resized(width: number, height: number): void {
    this.#recording.resized(width, height);
    this.#changed = true;
  }

  /** Resolves when the storage of the complete recording has succeeded or failed. */
  close(): Promise<void> {
    this.#closed.abort();
    return this.#enqueue(this.#deps.clock.now().toISOString());
  }

  async #saveAgain(): Promise<void> {
    while (!this.#closed.signal.aborted) {
      await this.#deps.clock.sleep(savedEveryMs, this.#closed.signal).catch(() => undefined);
      if (this.#changed && !this.#closed.signal.aborted) await this.#enqueue(undefined);
    }
  }

  #enqueue(endedAt: string | undefined): Promise<void> {
    this.#saved = this.#saved.then(() => this.#save(endedAt));
    return this.#saved;
  }

  async #save(endedAt?: string): Promise<void> {
    const { database, logger } = this.#deps;
    const { sshRecordings } = database.collections;
    this.#changed = false;
    const document = {
      ...this.#document,
      ...(endedAt === undefined ? {} : { endedAt }),
      truncated: this.#recording.truncated,
      recording: new Secret(this.#recording.text()),
    };
    const etag = this.#etag;
    const write =
      etag === undefined
        ? create(sshRecordings, document)
        : replace(sshRecordings, { document, etag }, document);
    try {
      const signal = timeLimit(saveMs);
      const result = await database.commit(document.partitionKey, [write], { signal });
      if (result.kind === "committed") this.#etag = result.etags[0];
      else logger.error({ result: result.kind }, "an SSH recording was not stored");
    } catch (error) {
      this.#changed = true;
      logger.error({ error: messageOf(error) }, "an SSH recording was not stored");
    }
  }
}
