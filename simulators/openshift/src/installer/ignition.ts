/** Ignition configuration, specification 3.2.0, as far as the machines use it. */
const version = "3.2.0";

/** A first boot that writes `files`: texts, or other values as JSON, by absolute path. */
export function ignitionWithFiles(files: Readonly<Record<string, unknown>>): string {
  const entries = Object.entries(files).map(([path, value]) => ({
    path,
    contents: {
      source:
        typeof value === "string"
          ? dataUrl("text/plain", value)
          : dataUrl("application/json", JSON.stringify(value)),
    },
  }));
  return JSON.stringify({ ignition: { version }, storage: { files: entries } });
}

/** A first boot that fetches the rest from the cluster's machine config server, for the machines of `role`. */
export function pointerIgnition(domain: string, role: "master" | "worker", caPem?: string): string {
  const source = `https://api-int.${domain}:22623/config/${role}`;
  const security = { tls: { certificateAuthorities: [{ source: dataUrl("text/plain", caPem ?? "") }] } };
  return JSON.stringify({
    ignition: { version, config: { merge: [{ source }] }, ...(caPem ? { security } : {}) },
  });
}

function dataUrl(mediaType: string, text: string): string {
  return `data:${mediaType};base64,${Buffer.from(text).toString("base64")}`;
}
