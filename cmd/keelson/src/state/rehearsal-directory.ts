import { rm } from "node:fs/promises";
import { join } from "node:path";

/** Returns the path of the directory in which the standby process of the service rehearses its start. */
export function rehearsalDirectory(directory: string): string {
  return join(directory, "rehearsal");
}

/** Deletes the files of a killed rehearsal. Retries, because the killed process may still write its last file. */
export async function removeRehearsal(directory: string): Promise<void> {
  await rm(rehearsalDirectory(directory), { recursive: true, force: true, maxRetries: 5 });
}
