import { dataUrl } from "../ignition/data-url.ts";

/** Version of the Ignition specification. */
const version = "3.2.0";

/** Ignition configuration that writes files, by absolute path. */
export function ignitionWithFiles(files: Readonly<Record<string, string>>): string {
  const entries = Object.entries(files).map(([path, text]) => ({
    path,
    contents: { source: dataUrl("text/plain;charset=utf-8", text) },
  }));
  return JSON.stringify({ ignition: { version }, storage: { files: entries } });
}

/**
 * Ignition configuration that merges the one of the cluster's machine config server for the machines of `role`. `caPem` verifies
 * that server.
 */
export function pointerIgnition(host: string, role: "master" | "worker", caPem: string): string {
  const source = `https://${host}:22623/config/${role}`;
  const certificateAuthorities = [{ source: dataUrl("text/plain;charset=utf-8", caPem) }];
  return JSON.stringify({
    ignition: { version, config: { merge: [{ source }] }, security: { tls: { certificateAuthorities } } },
  });
}
