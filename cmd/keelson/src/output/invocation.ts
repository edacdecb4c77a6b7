import process from "node:process";

/** Path that the launcher was started with. `keelson` if that is on PATH, or without the launcher. */
export function invokedAs(): string {
  return process.env.KEELSON_INVOKED_AS || "keelson";
}

/** A command in a message: in quotes, in parentheses, behind a colon, or at the start of an indented line. */
const mention = /(?<=["`(]|: |^ {2,})keelson (?=[a-z-])/gm;

/**
 * Replaces `keelson` in the commands of a message by the path that the launcher was started with, for example `./keelson` in a
 * checkout that is not on PATH.
 */
export function asInvoked(text: string, path = invokedAs()): string {
  return text.replace(mention, () => `${path} `);
}
