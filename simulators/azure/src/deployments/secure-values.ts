import type { JsonObject, JsonValue } from "@keelson/base";
import { isJsonObject } from "../base/json.ts";
import type { Prepared } from "./prepared.ts";
import { isSecure } from "./template/parameters.ts";

/** String that replaces secret values, as in Azure's what-if responses. */
const mask = "*******";
/** Minimum length in characters of a secret that is also masked inside longer strings. */
const minEmbeddedLength = 6;
/** Maximum number of secrets that are masked inside longer strings. This number limits the time for one string. */
const maxEmbedded = 256;

/** Values of a deployment's secure parameters. What-if responses must not contain these values. */
export class SecureValues {
  readonly #values = new Set<string>();
  /** Values that are also masked inside longer strings. */
  readonly #embedded = new Set<string>();

  add({ parameters, shownParameters }: Pick<Prepared, "parameters" | "shownParameters">): void {
    for (const [name, shown] of Object.entries(shownParameters)) {
      if (isJsonObject(shown) && typeof shown.type === "string" && isSecure(shown.type))
        this.#collect(parameters[name]);
    }
  }

  /** Returns the object with all secrets masked. */
  masked(object: JsonObject): JsonObject {
    return Object.fromEntries(
      Object.entries(object).map(([name, each]) => [
        name,
        each === undefined ? each : this.#maskedValue(each),
      ]),
    );
  }

  #maskedValue(value: JsonValue): JsonValue {
    if (typeof value === "string") return this.#maskedText(value);
    if (Array.isArray(value)) return value.map((each) => this.#maskedValue(each));
    return isJsonObject(value) ? this.masked(value) : value;
  }

  #maskedText(text: string): string {
    if (this.#values.has(text)) return mask;
    let masked = text;
    for (const secret of this.#embedded) masked = masked.replaceAll(secret, mask);
    return masked;
  }

  #collect(value: JsonValue | undefined): void {
    if (typeof value === "string" && value !== "") {
      this.#values.add(value);
      if (value.length >= minEmbeddedLength && this.#embedded.size < maxEmbedded) this.#embedded.add(value);
    }
    if (Array.isArray(value)) for (const each of value) this.#collect(each);
    if (isJsonObject(value)) for (const each of Object.values(value)) this.#collect(each);
  }
}
