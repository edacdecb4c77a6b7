import process from "node:process";

/** Returns the path by which the user started the launcher. Returns `keelson` if the launcher is on PATH or was not used. */
export function invokedAs(): string {
  return process.env.KEELSON_INVOKED_AS || "keelson";
}

/** Matches a command in a message: in quotes, in parentheses, after a colon, or at the start of an indented line. */
const mention = /(?<=["`(]|: |^ {2,})keelson (?=[a-z-])/gm;

/** Replaces `keelson` in the commands of a message by the launcher's path, for example `./keelson` in a checkout. */
export function asInvoked(text: string, path = invokedAs()): string {
  return text.replace(mention, () => `${path} `);
}
