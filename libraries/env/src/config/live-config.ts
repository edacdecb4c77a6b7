import { readFile } from "node:fs/promises";
import { type Clock, type Logger, messageOf } from "@keelson/base";
import type { RoleConfig } from "./service-config.ts";

/** File of a configuration. */
export interface ConfigSource<C> {
  readonly path: string;
  /** Parses the file's current content. @throws InvalidConfiguration */
  readonly read: () => C | Promise<C>;
}

/** Fields that a running process replaces by those of its configuration file. */
export type RereadFields<C> = (initial: C, next: C) => C;

/** The configuration of a running process. Secrets in it follow the configuration file. */
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

  /** Calls `listener` after each change. */
  onChange(listener: (config: C) => void): void {
    this.#listeners.push(listener);
  }

  /** Reads the file every 10 s until the signal aborts. An invalid file changes nothing. */
  async follow(
    { path, read }: ConfigSource<C>,
    {
      clock,
      logger,
      signal,
    }: { readonly clock: Clock; readonly logger: Logger; readonly signal: AbortSignal },
  ): Promise<void> {
    // The file may have changed since the process read it, so the first poll parses it in any case.
    let known: string | undefined;
    while (!signal.aborted) {
      await clock.sleep(pollMs, signal).catch(() => undefined);
      if (signal.aborted) return;
      try {
        const text = await readFile(path, "utf8");
        if (text === known) continue;
        this.#use(await read(), path, logger);
        known = text;
      } catch (error) {
        logger.warn({ path, error: messageOf(error) }, "the configuration was not read again");
      }
    }
  }

  #use(next: C, path: string, logger: Logger): void {
    const before = this.#current;
    const after = this.#reread(before, next);
    const changed = differingFields(before, after);
    if (changed.length > 0) {
      // If one listener rejects the new configuration, the previous one stays current.
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

const pollMs = 10_000;

/** Names of top-level fields with different values. */
function differingFields(one: object, other: object): readonly string[] {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].filter(
    (name) => JSON.stringify(Reflect.get(one, name)) !== JSON.stringify(Reflect.get(other, name)),
  );
}

/** The fields of `service.json` that are marked `reread` in the schema and have their value in the file itself. */
export function rereadServiceFields<C extends RoleConfig>(initial: C, next: C): C {
  const { firstParty, encryption, portal } = initial;
  const isInline = "keys" in encryption && "keys" in next.encryption;
  return {
    ...initial,
    firstParty: { ...firstParty, clientSecret: next.firstParty.clientSecret },
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

/** User and password of the URL. Its server and database stay those of the start: two of them would divide the documents. */
export function rereadDatabase(
  initial: RoleConfig["database"],
  next: RoleConfig["database"],
): RoleConfig["database"] {
  if (initial.kind !== "postgres" || next.kind !== "postgres") return initial;
  const [url, changed] = [URL.parse(initial.url), URL.parse(next.url)];
  if (!url || !changed) return initial;
  [url.username, url.password] = [changed.username, changed.password];
  // The URL parser encodes characters such as "=": an unchanged URL keeps its form.
  return { ...initial, url: url.href === changed.href ? next.url : url.href };
}
