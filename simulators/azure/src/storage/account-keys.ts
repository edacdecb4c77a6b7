import { randomBytes } from "node:crypto";
import type { JsonObject } from "@keelson/base";
import type { ResourceRecord } from "../arm/resource.ts";
import { nonEmptyStringAt, objectsAt } from "../base/json.ts";

export interface AccountKey {
  readonly keyName: string;
  /** Account key: base64 of 64 bytes. */
  readonly value: string;
  readonly creationTime: string;
}

export function newAccountKeys(now: string): readonly AccountKey[] {
  return ["key1", "key2"].map((keyName) => newAccountKey(keyName, now));
}

export function newAccountKey(keyName: string, now: string): AccountKey {
  return { keyName, value: randomBytes(64).toString("base64"), creationTime: now };
}

export function accountKeysOf({ hidden }: Pick<ResourceRecord, "hidden">): readonly AccountKey[] {
  return objectsAt(hidden, "keys").flatMap((each) => {
    const [keyName, value] = [nonEmptyStringAt(each, "keyName"), nonEmptyStringAt(each, "value")];
    const creationTime = nonEmptyStringAt(each, "creationTime") ?? "";
    return keyName && value ? [{ keyName, value, creationTime }] : [];
  });
}

/** Returns the keys in the format in which an account stores them. */
export function hiddenKeys(keys: readonly AccountKey[]): JsonObject {
  return { keys: keys.map((each) => ({ ...each })) };
}
