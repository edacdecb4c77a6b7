export { findApiDocument, listApiDocuments, readApiDocument } from "./api-documents.ts";
export { BodySchemas } from "./body-schemas.ts";
export { compareDocuments } from "./compare.ts";
export * from "./document.ts";
export type { Comparison, Finding } from "./findings.ts";
export { definitionName, flatten, resolveParameter } from "./flat-schema.ts";
export { reachable } from "./reachable.ts";
export { isDocument, readDocument } from "./read-document.ts";
export { type DocumentedExample, readExamples } from "./read-examples.ts";
