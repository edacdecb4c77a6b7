import { readFileSync } from "node:fs";
import process from "node:process";
import type { KeyPair } from "@keelson/base";

export interface ServerSettings {
  readonly directory: string;
  readonly subscriptionId: string;
  readonly tls: KeyPair;
  readonly databaseUrl: string;
}

/** Reads the benchmark's settings from the directory on the command line. */
export function readServer(): ServerSettings {
  const directory = process.argv[2] ?? "";
  const settings: Omit<ServerSettings, "directory"> = JSON.parse(
    readFileSync(`${directory}/server.json`, "utf8"),
  );
  return { ...settings, directory };
}
