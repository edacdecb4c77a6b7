import { Duplex } from "node:stream";
import {
  controlFrame,
  dataFrame,
  flagFin,
  frameHeadBytes,
  frameTypes,
  readFrameHead,
  words,
} from "./frames.ts";
import { type HeaderCodec, headerCodec, type SpdyHeaders } from "./header-block.ts";

/** Stream that the client opened. `duplex` ends when the client half-closes the stream. */
export interface SpdyStream {
  readonly headers: SpdyHeaders;
  readonly duplex: Duplex;
}

const maxControlBytes = 64 * 1_024;
const maxStreams = 1_000;
/** Maximum buffered bytes of a stream. When a reader is too slow, the session stops reading. */
const bufferBytes = 1_024 * 1_024;
const maxDataBytes = 64 * 1_024;
const statusProtocolError = 1;
const statusCancel = 5;
/**
 * Timeout in milliseconds for the client to close the connection after GOAWAY. It is long, because a suspended or slow client reads
 * pending output first.
 */
const lingerMs = 5 * 60_000;

interface OpenStream {
  readonly duplex: Duplex;
  /** Called when the reader requests more data. */
  wanted: () => void;
}

/**
 * Server side of SPDY/3.1 as used by Kubernetes. It has no flow-control windows, because Kubernetes clients do not support them.
 * It has no server push. A slow reader of one stream delays all streams of the connection.
 */
export class SpdySession {
  readonly #transport: Duplex;
  readonly #accept: (stream: SpdyStream) => void;
  readonly #codec: HeaderCodec = headerCodec();
  readonly #streams = new Map<number, OpenStream>();
  #lastStream = 0;

  constructor(transport: Duplex, accept: (stream: SpdyStream) => void) {
    this.#transport = transport;
    this.#accept = accept;
  }

  /** Reads frames until one side closes the connection. Never rejects. A connection error ends the session. */
  async run(): Promise<void> {
    try {
      await this.#readFrames();
    } catch {
      // The input is not SPDY, or the connection is broken. In both cases, the client cannot receive an error.
    } finally {
      this.#transport.destroy();
      for (const { duplex, wanted } of this.#streams.values()) {
        duplex.destroy();
        wanted();
      }
      this.#codec[Symbol.dispose]();
    }
  }

  /**
   * Sends GOAWAY. The client closes the connection after it has read all streams. The server does not close first, because a slow
   * client can still be reading.
   */
  close(): void {
    if (this.#transport.writable)
      this.#transport.write(controlFrame(frameTypes.goAway, words(this.#lastStream, 0)));
    const linger = setTimeout(() => this.#transport.destroy(), lingerMs).unref();
    this.#transport.once("close", () => clearTimeout(linger));
  }

  async #readFrames(): Promise<void> {
    let rest: Buffer = Buffer.alloc(0);
    /** Data frame that is being received. */
    let open: { readonly stream: number; readonly fin: boolean; left: number } | undefined;
    for await (const chunk of this.#transport) {
      rest = rest.length === 0 ? Buffer.from(chunk) : Buffer.concat([rest, chunk]);
      for (;;) {
        if (open) {
          const piece = rest.subarray(0, open.left);
          rest = rest.subarray(piece.length);
          open.left -= piece.length;
          await this.#receive(open.stream, piece, open.left === 0 && open.fin);
          if (open.left > 0) break;
          open = undefined;
        }
        if (rest.length < frameHeadBytes) break;
        const head = readFrameHead(rest);
        if (head.kind === "data") {
          open = { stream: head.stream, fin: (head.flags & flagFin) !== 0, left: head.length };
          rest = rest.subarray(frameHeadBytes);
          continue;
        }
        if (head.length > maxControlBytes) throw new Error("a control frame is too long");
        const end = frameHeadBytes + head.length;
        if (rest.length < end) break;
        await this.#control(head.type, head.flags, rest.subarray(frameHeadBytes, end));
        rest = rest.subarray(end);
      }
    }
  }

  async #control(type: number, flags: number, payload: Buffer): Promise<void> {
    switch (type) {
      case frameTypes.synStream:
        await this.#openStream(payload.readUInt32BE(0) & 0x7fffffff, flags, payload.subarray(10));
        break;
      case frameTypes.rstStream: {
        const id = payload.readUInt32BE(0) & 0x7fffffff;
        const stream = this.#streams.get(id);
        this.#streams.delete(id);
        stream?.duplex.destroy();
        stream?.wanted();
        break;
      }
      case frameTypes.ping:
        this.#transport.write(controlFrame(frameTypes.ping, payload));
        break;
      default:
        break;
    }
  }

  async #openStream(id: number, flags: number, block: Buffer): Promise<void> {
    const headers = await this.#codec.decode(block);
    if (id <= this.#lastStream || id % 2 === 0 || this.#streams.size >= maxStreams) {
      this.#transport.write(controlFrame(frameTypes.rstStream, words(id, statusProtocolError)));
      return;
    }
    this.#lastStream = id;
    const stream = this.#makeStream(id);
    this.#streams.set(id, stream);
    const reply = Buffer.concat([words(id), await this.#codec.encode(new Map())]);
    this.#transport.write(controlFrame(frameTypes.synReply, reply));
    if (flags & flagFin) stream.duplex.push(null);
    this.#accept({ headers, duplex: stream.duplex });
  }

  async #receive(id: number, data: Buffer, fin: boolean): Promise<void> {
    const stream = this.#streams.get(id);
    if (!stream || stream.duplex.readableEnded || stream.duplex.destroyed) return;
    if (data.length > 0 && !stream.duplex.push(data)) {
      const { promise, resolve } = Promise.withResolvers<void>();
      stream.wanted = resolve;
      await promise;
    }
    if (fin && !stream.duplex.destroyed) stream.duplex.push(null);
  }

  #makeStream(id: number): OpenStream {
    const send = (bytes: Buffer, done: (error?: Error | null) => void) => {
      if (this.#transport.writable) this.#transport.write(bytes, (error) => done(error));
      else done(new Error("the connection is closed"));
    };
    const duplex = new Duplex({
      readableHighWaterMark: bufferBytes,
      read: () => stream.wanted(),
      write: (chunk: Buffer, _encoding, done) => {
        const pieces: Buffer[] = [];
        for (let at = 0; at < chunk.length; at += maxDataBytes) {
          pieces.push(dataFrame(id, chunk.subarray(at, at + maxDataBytes)));
        }
        send(Buffer.concat(pieces), done);
      },
      final: (done) => send(dataFrame(id, Buffer.alloc(0), true), done),
      destroy: (error, done) => {
        const whole = duplex.writableFinished && duplex.readableEnded;
        if (this.#streams.delete(id) && !whole && this.#transport.writable) {
          this.#transport.write(controlFrame(frameTypes.rstStream, words(id, statusCancel)));
        }
        stream.wanted();
        done(error);
      },
    });
    // The stream ends when the client disconnects, so its errors need no handling.
    duplex.on("error", () => undefined);
    const stream: OpenStream = { duplex, wanted: () => undefined };
    return stream;
  }
}
