import { encodeDataUrl } from "./data-url.ts";

export interface NodeFile {
  readonly path: string;
  readonly mode: number;
  readonly text: string;
  /** Owner of the file. Default: Ignition sets root as owner. */
  readonly user?: "root";
}

export interface NodeUnit {
  readonly name: string;
  readonly text: string;
}

/**
 * Returns an Ignition configuration (3.2.0) that writes files and enables units. The fields of the configuration are in
 * alphabetical order.
 */
export function ignitionConfig(
  files: readonly NodeFile[],
  units: readonly NodeUnit[] = [],
): Readonly<Record<string, unknown>> {
  return {
    ignition: { version: "3.2.0" },
    storage: {
      files: files.map(({ path, mode, text, user }) => ({
        contents: { source: encodeDataUrl(text) },
        mode,
        overwrite: true,
        path,
        ...(user === undefined ? {} : { user: { name: user } }),
      })),
    },
    ...(units.length === 0
      ? {}
      : { systemd: { units: units.map(({ name, text }) => ({ contents: text, enabled: true, name })) } }),
  };
}
