import { dataUrl } from "../ignition/data-url.ts";

/** Version of the Ignition specification. */
const version = "3.2.0";

/** Returns an Ignition configuration that writes files. The keys are absolute paths. */
export function ignitionWithFiles(files: Readonly<Record<string, string>>): string {
  const entries = Object.entries(files).map(([path, text]) => ({
    path,
    contents: { source: dataUrl("text/plain;charset=utf-8", text) },
  }));
  return JSON.stringify({ ignition: { version }, storage: { files: entries } });
}

/**
 * Returns an Ignition configuration that merges the configuration for `role` from the machine config server. `caPem` contains the
 * CA of the server's certificate.
 */
export function pointerIgnition(host: string, role: "master" | "worker", caPem: string): string {
  const source = `https://${host}:22623/config/${role}`;
  const certificateAuthorities = [{ source: dataUrl("text/plain;charset=utf-8", caPem) }];
  return JSON.stringify({
    ignition: { version, config: { merge: [{ source }] }, security: { tls: { certificateAuthorities } } },
  });
}
