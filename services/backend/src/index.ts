export { startBackend } from "./backend.ts";
