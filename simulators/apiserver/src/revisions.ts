/** Revisions in the storage file of a stopped server. This module does not load the server. */
export { newestRevision, raiseRevisions } from "@keelson/sim-store";
