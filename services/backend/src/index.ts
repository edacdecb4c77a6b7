export { type Backend, type BackendOptions, startBackend } from "./backend.ts";
