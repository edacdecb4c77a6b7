export { defaultRegistries, fixedImages } from "./defaults.ts";
export { errors } from "./errors.ts";
export {
  type MirrorConfig,
  type MirrorSources,
  mirrorOptionsOf,
  parseMirrorConfig,
} from "./mirror-config.ts";
export type { MirrorEvent, MirrorOptions } from "./mirror-options.ts";
export type { RegistryCredential } from "./registry/credentials.ts";
export {
  type Failure,
  failuresOf,
  type ImageResult,
  type MirrorReport,
  type ReleaseResult,
} from "./report.ts";
export { runMirror } from "./run-mirror.ts";
