import { readFileSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { isPlainObject, type JsonObject, type JsonValue, messageOf } from "@keelson/base";
import type { OpenApiDocument } from "./document.ts";
import { errors } from "./errors.ts";

/**
 * Reads an OpenAPI 2 document and bundles the definitions that it references in other files. Every `$ref` of the result is local
 * (`#/definitions/...` or `#/parameters/...`).
 * @throws BadDocument
 */
export function readDocument(file: string): OpenApiDocument {
  const document = readJson(file);
  if (document.swagger !== "2.0" || !isPlainObject(document.paths)) {
    throw errors.BadDocument(`${file} is not an OpenAPI 2.0 document: it has no "swagger": "2.0" with paths`);
  }
  return new Bundle(file, document).whole() as unknown as OpenApiDocument;
}

/** True if the file is an OpenAPI 2 document with operations. False for examples and files with only shared types. */
export function isDocument(file: string): boolean {
  const { swagger, paths } = objectOf(readValue(file));
  return swagger === "2.0" && Object.keys(objectOf(paths)).length > 0;
}

/** Reads a JSON object from a file. @throws BadDocument */
export function readJson(file: string): JsonObject {
  const value = readValue(file);
  if (isPlainObject(value)) return value as JsonObject;
  throw errors.BadDocument(`${file} does not contain a JSON object`);
}

function readValue(file: string): JsonValue {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw errors.BadDocument(`${file} cannot be read: ${messageOf(error)}`, { cause: error });
  }
}

type Section = "definitions" | "parameters";

/** Copies definitions from other files into a document. The file name is part of the new definition name. */
class Bundle {
  readonly #file: string;
  readonly #document: JsonObject;
  readonly #files = new Map<string, JsonObject>();
  readonly #added: Record<Section, Record<string, JsonValue>> = { definitions: {}, parameters: {} };

  constructor(file: string, document: JsonObject) {
    this.#file = resolve(file);
    this.#document = document;
    this.#files.set(this.#file, document);
  }

  whole(): JsonObject {
    const own = this.#inlined(this.#document, this.#file);
    if (!isPlainObject(own)) throw errors.BadDocument(`${this.#file} does not contain a JSON object`);
    const section = (name: Section) => ({ ...objectOf(own[name]), ...this.#added[name] });
    return { ...own, definitions: section("definitions"), parameters: section("parameters") } as JsonObject;
  }

  #inlined(value: JsonValue | undefined, file: string): JsonValue {
    if (typeof value !== "object" || value === null) return value ?? null;
    if (Array.isArray(value)) return value.map((element: JsonValue) => this.#inlined(element, file));
    const entries = Object.entries(objectOf(value)).map(([key, member]): [string, JsonValue] => {
      if (key === "x-ms-examples") return [key, member ?? null];
      if (key === "$ref" && typeof member === "string") return [key, this.#local(member, file)];
      return [key, this.#inlined(member, file)];
    });
    return Object.fromEntries(entries);
  }

  /** Returns the local reference that replaces `reference`, which is in the file `file`. */
  #local(reference: string, file: string): string {
    const [path = "", pointer = ""] = reference.split("#");
    const target = path === "" ? file : resolve(dirname(file), path);
    const [, section = "", name = ""] = pointer.split("/");
    const found = objectOf(objectOf(this.#open(target))[section])[name];
    if ((section !== "definitions" && section !== "parameters") || found === undefined) {
      throw errors.BadDocument(`${file} refers to ${reference}, which is not there`);
    }
    if (target === this.#file) return reference;
    const localName = `${basename(dirname(target))}.${basename(target, ".json")}.${name}`;
    if (!(localName in this.#added[section])) {
      this.#added[section][localName] = {}; // registers the name first, because the definition may refer to itself
      this.#added[section][localName] = this.#inlined(found, target);
    }
    return `#/${section}/${localName}`;
  }

  #open(file: string): JsonObject {
    const known = this.#files.get(file) ?? readJson(file);
    this.#files.set(file, known);
    return known;
  }
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return isPlainObject(value) ? (value as JsonObject) : {};
}
