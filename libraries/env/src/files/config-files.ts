import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { messageOf } from "@keelson/base";
import { configErrors } from "./config-errors.ts";

/** The text of a file that a member of the configuration names. @throws InvalidConfiguration naming both */
export function readConfigFile(member: string, path: string): string {
  return usable(member, path, () => readFileSync(path, "utf8"));
}

/** The certificates of a PEM file, at least one, one text each. @throws InvalidConfiguration naming the member */
export function readCertificates(member: string, path: string): readonly string[] {
  const text = readConfigFile(member, path);
  return usable(member, path, () => {
    const found =
      text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? ([] as readonly string[]);
    if (found.length === 0) throw new Error("it holds no certificate in PEM");
    for (const each of found) new X509Certificate(each);
    return found;
  });
}

/** What `use` gives; what it throws says which member of the configuration is at fault. */
export function usable<T>(member: string, path: string, use: () => T): T {
  try {
    return use();
  } catch (cause) {
    throw configErrors.InvalidConfiguration(`${member}: ${path} cannot be used: ${messageOf(cause)}`, {
      cause,
    });
  }
}
