export {
  mirrorOptionsOf,
  parseMirrorConfig,
} from "./mirror-config.ts";
export type { MirrorEvent } from "./mirror-options.ts";
export type { RegistryCredential } from "./registry/credentials.ts";
export {
  failuresOf,
  type MirrorReport,
  type ReleaseResult,
} from "./report.ts";
export { runMirror } from "./run-mirror.ts";
