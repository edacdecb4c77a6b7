import { readFile } from "node:fs/promises";
import { type Clock, type Logger, messageOf, poll } from "@keelson/base";
import type { RoleConfig } from "./service-config.ts";

/** Configuration file and the function that reads it. */
export interface ConfigSource<C> {
  readonly path: string;
  /** Reads and parses the current content of the file. @throws InvalidConfiguration */
  readonly read: () => C | Promise<C>;
}

/** Returns `initial` with the values of `next` in the fields that a running process can change. */
export type RereadFields<C> = (initial: C, next: C) => C;

/** Configuration of a running process. Its secrets are updated when the file changes. */
export class LiveConfig<C extends object> {
  readonly #reread: RereadFields<C>;
  readonly #listeners: ((config: C) => void)[] = [];
  #current: C;

  constructor(initial: C, reread: RereadFields<C>) {
    this.#current = initial;
    this.#reread = reread;
  }

  get current(): C {
    return this.#current;
  }

  /** Registers a listener that is called after each change. */
  onChange(listener: (config: C) => void): void {
    this.#listeners.push(listener);
  }

  /** Checks the file every 10 s until the signal aborts. An invalid file is ignored. */
  async follow(
    { path, read }: ConfigSource<C>,
    {
      clock,
      logger,
      signal,
    }: { readonly clock: Clock; readonly logger: Logger; readonly signal: AbortSignal },
  ): Promise<void> {
    // Undefined, so that the first check always parses the file. The file may have changed after the process started.
    let known: string | undefined;
    const onError = (error: unknown) =>
      logger.warn({ path, error: messageOf(error) }, "the configuration was not read again");
    await poll({ everyMs, clock, signal, onError }, async () => {
      const text = await readFile(path, "utf8");
      if (text === known) return;
      this.#use(await read(), path, logger);
      known = text;
    });
  }

  #use(next: C, path: string, logger: Logger): void {
    const before = this.#current;
    const after = this.#reread(before, next);
    const changed = differingFields(before, after);
    if (changed.length > 0) {
      // If a listener rejects the new configuration, the previous one stays in use.
      this.#current = after;
      try {
        for (const listener of this.#listeners) listener(after);
      } catch (error) {
        this.#current = before;
        throw error;
      }
      logger.info({ path, fields: changed }, "using changed fields of the configuration");
    }
    const later = differingFields(after, next);
    if (later.length > 0)
      logger.info({ path, fields: later }, "fields of the configuration take effect with the next start");
  }
}

const everyMs = 10_000;

/** Returns the names of top-level fields with different values. */
function differingFields(one: object, other: object): readonly string[] {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].filter(
    (name) => JSON.stringify(Reflect.get(one, name)) !== JSON.stringify(Reflect.get(other, name)),
  );
}

/**
 * Returns `initial` with the new values of the fields in `service.json` that the schema marks as `reread`. Fields that name a
 * file are excluded.
 */
export function rereadServiceFields<C extends RoleConfig>(initial: C, next: C): C {
  const { firstParty, encryption, portal } = initial;
  const isInline = "keys" in encryption && "keys" in next.encryption;
  return {
    ...rereadSchemaVersion(initial, next),
    firstParty: rereadFirstParty(firstParty, next.firstParty),
    database: rereadDatabase(initial.database, next.database),
    encryption: isInline ? next.encryption : encryption,
    ...(next.skipTokenKey === undefined ? {} : { skipTokenKey: next.skipTokenKey }),
    otherSkipTokenKeys: next.otherSkipTokenKeys,
    ...(portal?.signIn && next.portal?.signIn
      ? {
          portal: {
            ...portal,
            signIn: { ...portal.signIn, sessionKeys: next.portal.signIn.sessionKeys },
          },
        }
      : {}),
  };
}

/**
 * Returns `initial` with the schema version of `next`. A schema version describes only the file that declares it, so a change
 * needs no restart.
 */
export function rereadSchemaVersion<C extends { readonly schemaVersion?: number }>(initial: C, next: C): C {
  const { schemaVersion: _, ...others } = initial;
  const { schemaVersion } = next;
  return { ...others, ...(schemaVersion === undefined ? {} : { schemaVersion }) } as C;
}

/** Returns `initial` with the new secret. A different kind of credential takes effect only after a restart. */
export function rereadFirstParty(
  initial: RoleConfig["firstParty"],
  next: RoleConfig["firstParty"],
): RoleConfig["firstParty"] {
  if (initial.clientSecret === undefined || next.clientSecret === undefined) return initial;
  return { ...initial, clientSecret: next.clientSecret };
}

/**
 * Returns `initial` with the user and password of the new URL. Server and database do not change, because processes with
 * different databases would split the documents.
 */
export function rereadDatabase(
  initial: RoleConfig["database"],
  next: RoleConfig["database"],
): RoleConfig["database"] {
  if (initial.kind !== "postgres" || next.kind !== "postgres") return initial;
  const [url, changed] = [URL.parse(initial.url), URL.parse(next.url)];
  if (!url || !changed) return initial;
  [url.username, url.password] = [changed.username, changed.password];
  // The URL parser encodes characters such as "=". An unchanged URL is therefore returned in its original form.
  return { ...initial, url: url.href === changed.href ? next.url : url.href };
}
