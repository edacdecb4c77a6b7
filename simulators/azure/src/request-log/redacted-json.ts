import { isPlainObject } from "@keelson/base";
import { redactedText } from "./redacted-text.ts";
import { isPublicName, isSecretName } from "./secret-names.ts";

export const redacted = "[REDACTED]";

/** Redaction mode. `strict` redacts all values except those of fields that are known to be public. */
export type RedactionMode = "usual" | "strict";

export interface RedactedText {
  readonly text: string;
  /** True if the output is incomplete because the value exceeds the length limit. */
  readonly isCut?: true;
}

const maxDepth = 64;
/**
 * Maximum string length. A longer string is replaced by its length. If it were truncated instead, it could contain part of a
 * secret that no pattern detects.
 */
const maxString = 4_096;

/** Serializes JSON and redacts secrets. The run time is proportional to `maxLength`. */
export function redactedJson(value: unknown, maxLength: number, mode: RedactionMode): RedactedText {
  const writer = new Writer(maxLength, mode);
  writer.value(value, { isSecret: mode === "strict", isForced: false, depth: 0 });
  return { text: writer.text, ...(writer.isFull ? { isCut: true } : {}) };
}

interface Place {
  /** True if a value at this place is redacted, unless it is an object or an array. */
  readonly isSecret: boolean;
  /** True if values at this place and at all deeper levels are redacted. */
  readonly isForced: boolean;
  readonly depth: number;
}

class Writer {
  readonly #maxLength: number;
  readonly #mode: RedactionMode;
  readonly #parts: string[] = [];
  #length = 0;
  isFull = false;

  constructor(maxLength: number, mode: RedactionMode) {
    this.#maxLength = maxLength;
    this.#mode = mode;
  }

  get text(): string {
    return this.#parts.join("");
  }

  value(value: unknown, place: Place): void {
    if (place.depth > maxDepth) this.#write('"[nested too deeply]"');
    else if (Array.isArray(value)) this.#array(value, place);
    else if (isPlainObject(value)) this.#object(value, place);
    else this.#write(JSON.stringify(leaf(value, place.isSecret)));
  }

  #array(values: readonly unknown[], place: Place): void {
    this.#write("[");
    for (const [at, each] of values.entries()) {
      if (this.isFull) return;
      if (at > 0) this.#write(",");
      this.value(each, { ...place, depth: place.depth + 1 });
    }
    this.#write("]");
  }

  #object(fields: Readonly<Record<string, unknown>>, place: Place): void {
    const isSecure = isSecureType(fields.type);
    const secure = secureParameters(fields);
    let isFirst = true;
    this.#write("{");
    for (const name in fields) {
      if (this.isFull) return;
      const shown = name.length > maxString ? `[${name.length} characters]` : redactedText(name);
      this.#write(`${isFirst ? "" : ","}${JSON.stringify(shown)}:`);
      isFirst = false;
      const value = fields[name];
      if (name === "parameters" && secure && isPlainObject(value)) {
        this.#parameters(value, secure, place);
        continue;
      }
      this.value(value, this.#below(place, name, isSecure && (name === "value" || name === "defaultValue")));
    }
    this.#write("}");
  }

  /** Writes the parameters of a deployment. `secure` contains the names of parameters that the template declares as secure. */
  #parameters(values: Readonly<Record<string, unknown>>, secure: ReadonlySet<string>, place: Place): void {
    const entries = Object.entries(values);
    this.#write("{");
    for (const [at, [name, value]] of entries.entries()) {
      if (this.isFull) return;
      this.#write(`${at > 0 ? "," : ""}${JSON.stringify(redactedText(name.slice(0, maxString)))}:`);
      this.value(value, this.#below(place, name, secure.has(name.toLowerCase())));
    }
    this.#write("}");
  }

  #below({ isForced: isInForced, depth }: Place, name: string, isSecure: boolean): Place {
    const isForced = isInForced || isSecure || isSecretName(name);
    return {
      isForced,
      isSecret: isForced || (this.#mode === "strict" && !isPublicName(name)),
      depth: depth + 1,
    };
  }

  #write(part: string): void {
    if (this.isFull) return;
    const room = this.#maxLength - this.#length;
    this.isFull = part.length > room;
    // A part that does not fit into the output is omitted completely, because truncation could split an escape sequence.
    if (this.isFull) return;
    this.#parts.push(part);
    this.#length += part.length;
  }
}

function leaf(value: unknown, isSecret: boolean): unknown {
  if (value === null || value === undefined || typeof value === "boolean") return value ?? null;
  if (isSecret) return redacted;
  if (typeof value === "number") return value;
  if (typeof value !== "string") return redacted;
  return value.length > maxString ? `[${value.length} characters]` : redactedText(value);
}

function isSecureType(type: unknown): boolean {
  return typeof type === "string" && /^secure/i.test(type);
}

/** Returns the lower-case names of a deployment's secure parameters. Returns undefined if the object is not a deployment. */
function secureParameters({ parameters, template }: Readonly<Record<string, unknown>>) {
  if (!isPlainObject(parameters) || !isPlainObject(template) || !isPlainObject(template.parameters))
    return undefined;
  const secure = Object.entries(template.parameters).filter(
    ([, declared]) => isPlainObject(declared) && isSecureType(declared.type),
  );
  return new Set(secure.map(([name]) => name.toLowerCase()));
}
