import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { messageOf } from "@keelson/base";
import { configErrors } from "./config-errors.ts";

/**
 * Reads a file that a configuration field names.
 * @throws InvalidConfiguration naming the field and the file
 */
export function readConfigFile(member: string, path: string): string {
  return usable(member, path, () => readFileSync(path, "utf8"));
}

/** Reads the certificates in a PEM file. @throws InvalidConfiguration naming the field, also if there is no certificate */
export function readCertificates(member: string, path: string): readonly string[] {
  return certificatesIn(member, path, readConfigFile(member, path));
}

/** Returns the certificates in the text of a PEM file. @throws InvalidConfiguration as `readCertificates` */
export function certificatesIn(member: string, path: string, text: string): readonly string[] {
  return usable(member, path, () => {
    const found =
      text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? ([] as readonly string[]);
    if (found.length === 0) throw new Error("it has no certificate in PEM");
    for (const each of found) new X509Certificate(each);
    return found;
  });
}

/** Returns the result of `use`. Converts errors to InvalidConfiguration with the name of the field. */
export function usable<T>(member: string, path: string, use: () => T): T {
  try {
    return use();
  } catch (cause) {
    throw configErrors.InvalidConfiguration(`${member}: ${path} cannot be used: ${messageOf(cause)}`, {
      cause,
    });
  }
}
