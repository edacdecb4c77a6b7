/**
 * Functions for the revisions in the storage file of a stopped server. The import of this module does not load the server's code.
 */
export { newestRevision, raiseRevisions } from "@keelson/sim-store";
