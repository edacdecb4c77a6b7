/**
 * Parses the server name from a TLS ClientHello without responding to the client. Sources: RFC 8446 section 4.1.2 and 5.1
 * (ClientHello, records), RFC 6066 section 3 (server_name).
 */

const handshakeRecord = 22;
const clientHello = 1;
const serverNameExtension = 0;
const hostNameType = 0;
/**
 * Maximum size of a ClientHello in bytes. Clients with large key shares send about 2 KiB. RFC 8446 limits the size of a record
 * but not of a ClientHello.
 */
export const longestHelloBytes = 16_384 + 5;
/** Maximum length of a DNS name (RFC 1035). */
const longestName = 253;

export type ClientHello =
  | { readonly kind: "incomplete" }
  | { readonly kind: "malformed"; readonly reason: string }
  /** Lower-cased server name. Undefined if the ClientHello contains no server name. */
  | { readonly kind: "complete"; readonly name?: string };

/** Parses a ClientHello, which may span several records. `data` contains the first bytes of the connection. */
export function readClientHello(data: Buffer): ClientHello {
  const parts: Buffer[] = [];
  for (let at = 0; at < data.length; ) {
    if (data.readUInt8(at) !== handshakeRecord) return malformed("no TLS handshake");
    if (at + 5 > data.length) break;
    const size = data.readUInt16BE(at + 3);
    if (size === 0 || size > 16_384) return malformed(`a TLS record of ${size} bytes`);
    parts.push(data.subarray(at + 5, at + 5 + size));
    at += 5 + size;
  }
  const message = Buffer.concat(parts);
  if (message.length >= 4) {
    if (message.readUInt8(0) !== clientHello) return malformed("no ClientHello");
    const end = 4 + message.readUIntBE(1, 3);
    if (end > longestHelloBytes) return malformed(`a ClientHello of ${end} bytes`);
    if (message.length >= end) return readMessage(message.subarray(4, end));
  }
  return data.length > longestHelloBytes
    ? malformed("a ClientHello that does not end")
    : { kind: "incomplete" };
}

function readMessage(message: Buffer): ClientHello {
  const reader = new Reader(message);
  try {
    // Skips version and random. The next fields are session, cipher suites and compression methods.
    reader.skip(34);
    reader.skip(reader.uint(1));
    reader.skip(reader.uint(2));
    reader.skip(reader.uint(1));
    if (reader.isAtEnd) return { kind: "complete" };
    const extensions = new Reader(reader.take(reader.uint(2)));
    while (!extensions.isAtEnd) {
      const type = extensions.uint(2);
      const value = extensions.take(extensions.uint(2));
      if (type === serverNameExtension) return readServerName(new Reader(value));
    }
    return { kind: "complete" };
  } catch (error) {
    if (error instanceof RangeError) return malformed("a ClientHello that ends before its parts do");
    throw error;
  }
}

function readServerName(extension: Reader): ClientHello {
  const names = new Reader(extension.take(extension.uint(2)));
  while (!names.isAtEnd) {
    const type = names.uint(1);
    const value = names.take(names.uint(2));
    if (type !== hostNameType) continue;
    const name = value.toString("latin1").toLowerCase();
    if (name.length > longestName || !/^[a-z0-9._-]+$/.test(name))
      return malformed("a server name that is no host name");
    return { kind: "complete", name };
  }
  return { kind: "complete" };
}

function malformed(reason: string): ClientHello {
  return { kind: "malformed", reason };
}

/** Sequential reader. @throws RangeError past the end of the data */
class Reader {
  readonly #data: Buffer;
  #at = 0;

  constructor(data: Buffer) {
    this.#data = data;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#data.length;
  }

  uint(bytes: number): number {
    const value = this.#data.readUIntBE(this.#at, bytes);
    this.#at += bytes;
    return value;
  }

  take(bytes: number): Buffer {
    if (this.#at + bytes > this.#data.length) throw new RangeError("past the end");
    this.#at += bytes;
    return this.#data.subarray(this.#at - bytes, this.#at);
  }

  skip(bytes: number): void {
    this.take(bytes);
  }
}
