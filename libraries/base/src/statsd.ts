import { createSocket } from "node:dgram";
import { connect, type Socket } from "node:net";
import { startTimeLimit } from "./abort.ts";
import type { Clock } from "./clock.ts";
import { defineErrors, messageOf } from "./errors.ts";
import type { Logger } from "./log.ts";
import type { Sample } from "./metrics.ts";

/**
 * Limits of the queue and the connection. These limits and the format of the lines are the same as in Azure/ARO-RP
 * pkg/metrics/statsd.
 */
const maxQueued = 1024;
const maxAgeMs = 60_000;
const reconnectMs = 1_000;
const writeLimitMs = 10_000;

export type StatsdAddress =
  | { readonly kind: "unix"; readonly path: string }
  | { readonly kind: "udp"; readonly host: string; readonly port: number };

const errors = defineErrors({ InvalidStatsdAddress: { retry: "never" } });

/** Parses `unix:{path}` or `udp:{host}:{port}`. @throws InvalidStatsdAddress */
export function statsdAddress(text: string): StatsdAddress {
  const [, protocol, rest = ""] = /^([^:]*):(.*)$/.exec(text) ?? [];
  if (protocol === "unix" && rest !== "") return { kind: "unix", path: rest };
  const [, host = "", port = ""] = /^\[?([^\]]+)\]?:(\d{1,5})$/.exec(rest) ?? [];
  if (protocol === "udp" && host !== "" && Number(port) > 0 && Number(port) < 65_536) {
    return { kind: "udp", host, port: Number(port) };
  }
  throw errors.InvalidStatsdAddress(`'${text}' is neither unix:{path} nor udp:{host}:{port}.`);
}

/** Format of the lines. `geneva` is the format of Azure's agents. `tags` is plain statsd with the tags of DogStatsD. */
export type StatsdFormat = "geneva" | "tags";

export interface StatsdOptions {
  readonly address: StatsdAddress;
  /** Default: `geneva`. */
  readonly format?: StatsdFormat;
  readonly account: string;
  readonly namespace: string;
  /** Dimensions of every line. They override the dimensions of a sample. */
  readonly dimensions: Readonly<Record<string, string>>;
  readonly onDropped?: (count: number) => void;
  readonly clock: Clock;
  readonly logger: Logger;
}

interface Queued {
  readonly line: string;
  readonly atMs: number;
}

/**
 * Sends samples to a statsd listener. Callers are not blocked. Each sample is one line. Lines are dropped and counted if the
 * queue contains 1,024 lines, or if they are older than a minute. Disposal tries to send the remaining lines.
 */
export class Statsd implements AsyncDisposable {
  readonly #options: StatsdOptions;
  readonly #stop = new AbortController();
  readonly #running: Promise<void>;
  #queue: Queued[] = [];
  #wake: () => void = () => undefined;
  #dropped = 0;

  constructor(options: StatsdOptions) {
    this.#options = options;
    this.#running = this.#run();
  }

  /** Number of dropped lines. */
  get dropped(): number {
    return this.#dropped;
  }

  send(sample: Sample): void {
    if (this.#queue.length >= maxQueued) {
      this.#drop(1);
      return;
    }
    const at = this.#options.clock.now();
    const line = this.#options.format === "tags" ? taggedLine(sample, this.#options) : undefined;
    this.#queue.push({ line: line ?? statsdLine(sample, at, this.#options), atMs: at.getTime() });
    this.#wake();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    this.#wake();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { clock, logger } = this.#options;
    let transport: Transport | undefined;
    while (!this.#stop.signal.aborted || this.#queue.length > 0) {
      if (this.#queue.length === 0) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
          if (this.#stop.signal.aborted) resolve();
        });
        continue;
      }
      try {
        transport ??= await openTransport(this.#options.address);
        const lines = this.#takeFresh();
        if (lines !== "") await transport.write(lines);
      } catch (error) {
        logger.warn({ error: messageOf(error), dropped: this.#dropped }, "metrics could not be sent");
        transport?.close();
        transport = undefined;
        if (this.#stop.signal.aborted) break;
        await clock.sleep(reconnectMs, this.#stop.signal).catch(() => undefined);
      }
    }
    transport?.close();
  }

  #drop(count: number): void {
    this.#dropped += count;
    if (count > 0) this.#options.onDropped?.(count);
  }

  /** Empties the queue. Returns the lines that have not expired, joined to one string. */
  #takeFresh(): string {
    const oldest = this.#options.clock.now().getTime() - maxAgeMs;
    const taken = this.#queue;
    this.#queue = [];
    const fresh = taken.filter(({ atMs }) => atMs >= oldest);
    this.#drop(taken.length - fresh.length);
    return fresh.map(({ line }) => line).join("");
  }
}

/**
 * Formats a sample: `{"Metric":…,"Account":…,"Namespace":…,"Dims":{…},"TS":…}:{value}|g` and a line feed. Values that are
 * fractions end with `|f` instead of `|g`. Dimensions are sorted. The time is UTC in milliseconds without a zone.
 */
export function statsdLine(
  { metric, value, dimensions, isFraction = !Number.isInteger(value) }: Sample,
  at: Date,
  { account, namespace, dimensions: fixed }: Pick<StatsdOptions, "account" | "namespace" | "dimensions">,
): string {
  const all = Object.entries({ ...dimensions, ...fixed }).sort(([a], [b]) => (a < b ? -1 : 1));
  const key = JSON.stringify({
    Metric: metric,
    ...(account === "" ? {} : { Account: account }),
    ...(namespace === "" ? {} : { Namespace: namespace }),
    Dims: Object.fromEntries(all),
    TS: at.toISOString().slice(0, -1),
  });
  const figure = isFraction ? `${value.toFixed(6)}|f` : `${value}|g`;
  return `${key.replace(/[<>&\u2028\u2029]/g, escaped)}:${figure}\n`;
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/**
 * Formats a sample as a gauge of plain statsd with tags: `{metric}:{value}|g|#{name}:{value},…` and a line feed. Characters that
 * separate the fields of a line are replaced by `_`. statsd adds a value with a sign to the gauge. A negative value therefore
 * follows a line that sets the gauge to 0.
 */
export function taggedLine(
  { metric, value, dimensions }: Sample,
  { dimensions: fixed }: Pick<StatsdOptions, "dimensions">,
): string {
  const all = Object.entries({ ...dimensions, ...fixed }).sort(([a], [b]) => (a < b ? -1 : 1));
  const tags = all.map(([name, text]) => `${plain(name).replaceAll(":", "_")}:${plain(text)}`).join(",");
  const lineOf = (number: string) =>
    `${plain(metric).replaceAll(":", "_")}:${number}|g${tags && `|#${tags}`}\n`;
  const number = Number.isInteger(value) ? `${value}` : value.toFixed(6);
  return value < 0 ? `${lineOf("0")}${lineOf(number)}` : lineOf(number);
}

function plain(text: string): string {
  return text.replace(/[\s,|#@\p{Cc}]/gu, "_");
}

interface Transport {
  write(lines: string): Promise<void>;
  close(): void;
}

function openTransport(address: StatsdAddress): Promise<Transport> {
  return address.kind === "unix" ? openStream(address.path) : openDatagrams(address);
}

function openStream(path: string): Promise<Transport> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect(path);
    socket.unref();
    socket.once("error", reject);
    socket.once("connect", () => {
      socket.off("error", reject);
      // Errors are ignored here, because writes report them. A failed write passes its error to its callback, and an error
      // between two writes makes the next write fail.
      socket.on("error", () => undefined);
      resolve({
        write: (lines) =>
          new Promise((done, fail) => {
            const late = startTimeLimit(writeLimitMs, () => socket.destroy(new Error("write timed out")));
            socket.write(lines, (error) => {
              late[Symbol.dispose]();
              error ? fail(error) : done();
            });
          }),
        close: () => socket.destroySoon(),
      });
    });
  });
}

/** Opens a UDP socket. Each line is sent as a separate datagram, so that no line is truncated. */
async function openDatagrams({ host, port }: { host: string; port: number }): Promise<Transport> {
  const socket = createSocket(host.includes(":") ? "udp6" : "udp4").unref();
  socket.on("error", () => undefined);
  const send = (line: string) =>
    new Promise<void>((done, fail) => {
      socket.send(line, port, host, (error) => (error ? fail(error) : done()));
    });
  return {
    async write(lines) {
      for (const line of lines.split(/(?<=\n)/)) await send(line);
    },
    close: () => socket.close(),
  };
}
