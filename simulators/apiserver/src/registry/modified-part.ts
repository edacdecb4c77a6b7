/**
 * Part of an object that a write may change: all but the status, the status, or a namespace's finalizers. Writes in
 * process may change the complete object (`whole`), as registries of aggregated API servers do.
 */
export type ModifiedPart = "main" | "status" | "finalize" | "whole";
