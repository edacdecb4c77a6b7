/** Commands that run other commands. The shell implements them itself. */
export const commandsOfCommands: ReadonlySet<string> = new Set([
  "chroot",
  "flock",
  "nohup",
  "time",
  "timeout",
]);

/** Returns the name of a command without its directory. */
export function commandName(path: string): string {
  return path.replace(/^(\/usr)?(\/local)?\/s?bin\//, "");
}
