/**
 * Part of an object that a write may change. `main` excludes the status. `finalize` means the finalizers of a namespace. Only
 * in-process writes may change the complete object (`whole`), as the registries of aggregated API servers do.
 */
export type ModifiedPart = "main" | "status" | "finalize" | "whole";
