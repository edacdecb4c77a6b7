import type { Fields } from "./fields.ts";

/** Limits for the selected fields of a projection. */
export interface ProjectionLimits {
  readonly keptBytes: number;
  /** Maximum number of selected tokens per item. For a value without items, the limit applies to the complete value. */
  readonly keptTokens: number;
}

export interface ProjectionRequest {
  readonly fields: Fields;
  /** Path of the array that is returned in batches. Default: no array is split into batches. */
  readonly items?: readonly string[] | undefined;
  readonly limits: ProjectionLimits;
}

export interface Projection {
  /** JSON of the value, in which the array of items is empty. */
  readonly head: string;
  /** Memory of the input. `batches` contains positions in this array. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Start and end position of each batch. Commas separate the items of a batch. */
  readonly batches: readonly (readonly [number, number])[];
}

/** Thrown for bytes that are not JSON. */
export class JsonFault extends Error {}

/** Thrown if a projection exceeds its limits. */
export class ProjectionExceeded extends Error {
  readonly limit: keyof ProjectionLimits;

  constructor(limit: keyof ProjectionLimits) {
    super(`the limit ${limit} is exceeded`);
    this.limit = limit;
  }
}

/** Size of a batch in bytes. One event loop iteration parses one batch. */
const batchBytes = 64 * 1024;
/** Maximum length of a field name that contains escapes. All selectable field names are shorter. */
const maxEscapedName = 256;

/**
 * Removes all unselected fields from UTF-8 JSON. The result overwrites the memory of the input, and no objects are built. The
 * cost depends only on the number of bytes, not on the structure of the JSON. In removed values, only the balance of brackets and
 * the ends of strings are checked. Selected values are validated later, when they are parsed.
 * @throws JsonFault
 * @throws ProjectionExceeded
 */
export function projectJson(bytes: Uint8Array<ArrayBuffer>, request: ProjectionRequest): Projection {
  return new Projector(bytes, request).run();
}

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const openArray = 0x5b;
const backslash = 0x5c;
const closeArray = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;

class Projector {
  readonly #bytes: Uint8Array<ArrayBuffer>;
  readonly #view: Buffer;
  readonly #request: ProjectionRequest;
  readonly #batches: [number, number][] = [];
  /** Position of the next byte to read. */
  #at = 0;
  /** Position of the next byte to write. It is never greater than `#at`. */
  #to = 0;
  #tokens = 0;
  #head = "";
  #hasItems = false;

  constructor(bytes: Uint8Array<ArrayBuffer>, request: ProjectionRequest) {
    this.#bytes = bytes;
    this.#view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#request = request;
  }

  run(): Projection {
    const { fields, items } = this.#request;
    this.#skipSpace();
    if (items) this.#walk(fields, items);
    else this.#keepInHead(fields);
    this.#skipSpace();
    if (this.#at < this.#bytes.length) throw new JsonFault("there is more than one value");
    return { head: this.#head, bytes: this.#bytes, batches: this.#batches };
  }

  /** Projects the value at `path`. The value is either the array of items or an ancestor of this array. */
  #walk(fields: Fields, path: readonly string[]): void {
    const byte = this.#bytes[this.#at];
    const [next, ...rest] = path;
    if (next === undefined && byte === openArray) this.#walkItems(fields);
    else if (next !== undefined && byte === openObject) {
      let isFirst = true;
      this.#head += "{";
      this.#eachField((start, end) => {
        const name = this.#name(start, end);
        const selected = fieldsOf(fields, name);
        if (selected === false && name !== next) {
          this.#skipValue();
          return;
        }
        this.#head += `${isFirst ? "" : ","}${this.#text(start, end)}:`;
        isFirst = false;
        if (name === next) this.#walk(selected, rest);
        else this.#keepInHead(selected);
      });
      this.#head += "}";
    } else this.#keepInHead(fields);
  }

  #walkItems(fields: Fields): void {
    if (this.#hasItems) throw new JsonFault("the items are there twice");
    this.#hasItems = true;
    let start = this.#to;
    this.#eachElement(() => {
      if (this.#to > start) this.#write(comma);
      this.#tokens = 0;
      this.#select(fields);
      this.#check();
      if (this.#to - start < batchBytes) return;
      this.#batches.push([start, this.#to]);
      start = this.#to;
    });
    if (this.#to > start) this.#batches.push([start, this.#to]);
    this.#head += "[]";
  }

  #keepInHead(fields: Fields): void {
    const start = this.#to;
    this.#select(fields);
    this.#check();
    this.#head += this.#text(start, this.#to);
    this.#to = start;
  }

  #select(fields: Fields): void {
    const byte = this.#bytes[this.#at];
    if (fields === true || (byte !== openObject && byte !== openArray)) {
      this.#keepValue();
      return;
    }
    this.#tokens++;
    let isFirst = true;
    const separate = () => {
      if (!isFirst) this.#write(comma);
      isFirst = false;
    };
    this.#write(byte);
    if (byte === openArray) {
      this.#eachElement(() => {
        separate();
        this.#select(fields);
      });
      this.#write(closeArray);
      return;
    }
    this.#eachField((start, end) => {
      const selected = fieldsOf(fields, this.#name(start, end));
      if (selected === false) {
        this.#skipValue();
        return;
      }
      separate();
      this.#copy(start, end);
      this.#write(colon);
      this.#tokens++;
      this.#select(selected);
    });
    this.#write(closeObject);
  }

  /** Calls `each` before the value of each field. The arguments are the start and end position of the quoted field name. */
  #eachField(each: (start: number, end: number) => void): void {
    this.#at++;
    this.#skipSpace();
    if (this.#bytes[this.#at] === closeObject) {
      this.#at++;
      return;
    }
    for (;;) {
      const start = this.#at;
      if (this.#bytes[start] !== quote) throw this.#unexpected();
      this.#skipString();
      const end = this.#at;
      this.#skipSpace();
      this.#expect(colon);
      each(start, end);
      this.#skipSpace();
      if (this.#bytes[this.#at] === closeObject) break;
      this.#expect(comma);
    }
    this.#at++;
  }

  #eachElement(each: () => void): void {
    this.#at++;
    this.#skipSpace();
    if (this.#bytes[this.#at] === closeArray) {
      this.#at++;
      return;
    }
    for (;;) {
      each();
      this.#skipSpace();
      if (this.#bytes[this.#at] === closeArray) break;
      this.#expect(comma);
    }
    this.#at++;
  }

  #keepValue(): void {
    const start = this.#at;
    this.#tokens += this.#skipValue();
    this.#copy(start, this.#at);
  }

  /** Skips a value and returns its number of tokens. */
  #skipValue(): number {
    const bytes = this.#bytes;
    const byte = bytes[this.#at];
    if (byte === quote) {
      this.#skipString();
      return 1;
    }
    if (byte !== openObject && byte !== openArray) {
      const start = this.#at;
      this.#skipScalar();
      if (this.#at === start) throw this.#unexpected();
      return 1;
    }
    const open: number[] = [];
    let tokens = 0;
    do {
      const current = bytes[this.#at];
      if (current === quote) {
        tokens++;
        this.#skipString();
        continue;
      }
      if (current === openObject || current === openArray) {
        tokens++;
        open.push(current + 2);
      } else if (current === closeObject || current === closeArray) {
        if (open.pop() !== current) throw this.#unexpected();
      } else if (current === undefined) throw this.#unexpected();
      else if (current > 0x20 && current !== comma && current !== colon) {
        tokens++;
        this.#skipScalar();
        continue;
      }
      this.#at++;
    } while (open.length > 0);
    return tokens;
  }

  #skipString(): void {
    const bytes = this.#bytes;
    const { length } = bytes;
    let at = this.#at + 1;
    for (; at < length; at++) {
      const byte = bytes[at];
      if (byte === quote) {
        this.#at = at + 1;
        return;
      }
      if (byte === backslash) at++;
    }
    throw new JsonFault("a string has no end");
  }

  #skipScalar(): void {
    const bytes = this.#bytes;
    let at = this.#at;
    for (; at < bytes.length; at++) {
      const byte = bytes[at] as number;
      if (byte <= 0x20 || byte === comma || byte === closeObject || byte === closeArray) break;
      if (byte === quote || byte === colon || byte === openObject || byte === openArray) break;
    }
    this.#at = at;
  }

  #skipSpace(): void {
    const bytes = this.#bytes;
    let byte = bytes[this.#at];
    while (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) byte = bytes[++this.#at];
  }

  #expect(byte: number): void {
    if (this.#bytes[this.#at] !== byte) throw this.#unexpected();
    this.#at++;
    this.#skipSpace();
  }

  #name(start: number, end: number): string {
    const name = this.#text(start + 1, end - 1);
    if (!name.includes("\\") || name.length > maxEscapedName) return name;
    try {
      return JSON.parse(`"${name}"`);
    } catch {
      throw new JsonFault("a field's name has a wrong escape");
    }
  }

  #text(start: number, end: number): string {
    return this.#view.toString("utf8", start, end);
  }

  #write(byte: number): void {
    this.#bytes[this.#to++] = byte;
  }

  #copy(start: number, end: number): void {
    this.#bytes.copyWithin(this.#to, start, end);
    this.#to += end - start;
  }

  #check(): void {
    const { keptBytes, keptTokens } = this.#request.limits;
    if (this.#to + this.#head.length > keptBytes) throw new ProjectionExceeded("keptBytes");
    if (this.#tokens > keptTokens) throw new ProjectionExceeded("keptTokens");
  }

  #unexpected(): JsonFault {
    return new JsonFault(
      this.#at < this.#bytes.length ? `byte ${this.#at} is unexpected` : "its end is missing",
    );
  }
}

function fieldsOf(fields: Fields, name: string): Fields {
  if (typeof fields === "boolean") return fields;
  return Object.hasOwn(fields, name) ? (fields[name] ?? false) : false;
}
