import { errors } from "./errors.ts";

/** Position of the last document of a page. `key` is null if the list is sorted only by ID. */
export interface Position {
  readonly key: string | null;
  readonly id: string;
  readonly partitionKey: string;
}

export function encodeContinuation({ key, id, partitionKey }: Position): string {
  return Buffer.from(JSON.stringify([key, id, partitionKey])).toString("base64url");
}

/** @throws InvalidQuery */
export function decodeContinuation(text: string): Position {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(text, "base64url").toString("utf8"));
    if (Array.isArray(parsed) && parsed.length === 3) {
      const [key, id, partitionKey]: unknown[] = parsed;
      if (
        (key === null || typeof key === "string") &&
        typeof id === "string" &&
        typeof partitionKey === "string"
      ) {
        return { key, id, partitionKey };
      }
    }
  } catch (cause) {
    throw errors.InvalidQuery("The continuation was not created by this store.", { cause });
  }
  throw errors.InvalidQuery("The continuation was not created by this store.");
}
