import type { EventText } from "@keelson/controller";
import type { EncryptionState } from "./encryption-config.ts";
import { isSameKey } from "./encryption-key.ts";

/** Returns the Events for the changes between the deployed configuration and a new one. */
export function configEvents(
  deployed: EncryptionState | undefined,
  desired: EncryptionState,
): readonly EventText[] {
  return [...desired].flatMap(([resource, { writeKey, readKeys }]) => {
    const event = (reason: string, message: string): EventText => ({ type: "Normal", reason, message });
    const name = JSON.stringify(resource);
    const before = deployed?.get(resource);
    if (!before) {
      const key = writeKey ? `with write key "${writeKey.id}"` : "without write key";
      return [event("EncryptionResourceAdded", `Resource ${name} was added to encryption config ${key}`)];
    }
    const events: EventText[] = [];
    if (!before.writeKey && writeKey)
      events.push(
        event("EncryptionKeyPromoted", `Promoting key "${writeKey.id}" for resource ${name} to write key`),
      );
    if (before.writeKey && writeKey && !isSameKey(before.writeKey, writeKey))
      events.push(
        event("EncryptionWriteKeyChanged", `Write key "${writeKey.id}" for resource ${name} changed`),
      );
    if (before.readKeys.length !== readKeys.length)
      events.push(
        event(
          "EncryptionReadKeysChanged",
          `Number of read keys for resource ${name} changed from ${before.readKeys.length} to ${readKeys.length}`,
        ),
      );
    return events;
  });
}
