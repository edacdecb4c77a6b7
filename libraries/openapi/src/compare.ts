import { compareSchemas } from "./compare-schemas.ts";
import {
  type OpenApiDocument,
  type Operation,
  operationsOf,
  type Parameter,
  type ResponseSpec,
} from "./document.ts";
import { type Comparison, Findings } from "./findings.ts";
import { resolveParameter } from "./flat-schema.ts";

/**
 * Compares our document with a published document. Our document must contain all published items with the published types. Layout
 * differences (references, inheritance, order, descriptions) are ignored.
 */
export function compareDocuments(ours: OpenApiDocument, theirs: OpenApiDocument): Comparison {
  const findings = new Findings(theirs.info.version);
  for (const path of Object.keys(theirs.paths)) {
    findings.count("paths");
    if (!(path in ours.paths)) findings.missing("path", path);
  }
  const own = new Map(operationsOf(ours).map((known) => [keyOf(known), known.operation]));
  for (const known of operationsOf(theirs)) {
    findings.count("operations");
    const key = keyOf(known);
    const operation = own.get(key);
    own.delete(key);
    if (operation) compareOperations(findings, key, [ours, operation], [theirs, known.operation]);
    else if (known.path in ours.paths) findings.missing("operation", key);
  }
  for (const key of own.keys()) findings.note(key, "only ours has this operation");
  return findings.result();
}

const keyOf = ({ method, path }: { readonly method: string; readonly path: string }) =>
  `${method.toUpperCase()} ${path}`;

type InDocument<T> = readonly [document: OpenApiDocument, value: T];

function compareOperations(
  findings: Findings,
  where: string,
  [ourDocument, ours]: InDocument<Operation>,
  [theirDocument, theirs]: InDocument<Operation>,
): void {
  if (ours.operationId !== theirs.operationId) {
    findings.different(where, "operation ID", ours.operationId, theirs.operationId);
  }
  const place = theirs.operationId;
  findings.noteUnlessEqual(place, "pages", isPaged(ours), isPaged(theirs));
  const isLong = (operation: Operation) => operation["x-ms-long-running-operation"] === true;
  findings.noteUnlessEqual(place, "long-running", isLong(ours), isLong(theirs));
  compareParameters(findings, place, parametersOf(ourDocument, ours), parametersOf(theirDocument, theirs));
  for (const [status, response] of Object.entries(theirs.responses)) {
    const at = `${place} ${status}`;
    const own = ours.responses[status];
    if (own) compareResponses(findings, at, [ourDocument, own], [theirDocument, response]);
    else findings.missing("response", at);
  }
  for (const status of Object.keys(ours.responses)) {
    if (!(status in theirs.responses)) findings.note(place, `only ours has the response ${status}`);
  }
}

function compareResponses(
  findings: Findings,
  at: string,
  [ourDocument, ours]: InDocument<ResponseSpec>,
  [theirDocument, theirs]: InDocument<ResponseSpec>,
): void {
  if (theirs.schema && !ours.schema) findings.missing("body", at);
  else if (theirs.schema && ours.schema)
    compareSchemas(findings, at, [ourDocument, ours.schema], [theirDocument, theirs.schema]);
  else if (ours.schema) findings.note(at, "only ours has a body");
  for (const [name, header] of Object.entries(theirs.headers ?? {})) {
    const own = ours.headers?.[name];
    if (own) compareSchemas(findings, `${at} ${name}`, [ourDocument, own], [theirDocument, header]);
    else findings.missing("header", `${at} ${name}`);
  }
}

const isPaged = (operation: Operation) => operation["x-ms-pageable"]?.nextLinkName;

function parametersOf(document: OpenApiDocument, operation: Operation): Map<string, InDocument<Parameter>> {
  const parameters = operation.parameters ?? [];
  return new Map(
    parameters.map((parameter) => {
      const resolved = resolveParameter(document, parameter);
      // The name of a body parameter has no meaning on the wire. An operation has at most one body.
      const key = resolved.in === "body" ? "body" : `${resolved.in} ${resolved.name}`;
      return [key, [document, resolved]];
    }),
  );
}

function compareParameters(
  findings: Findings,
  place: string,
  ours: ReadonlyMap<string, InDocument<Parameter>>,
  theirs: ReadonlyMap<string, InDocument<Parameter>>,
): void {
  for (const [key, [theirDocument, parameter]] of theirs) {
    findings.count("parameters");
    const at = `${place} ${key}`;
    const found = ours.get(key);
    if (!found) {
      findings.missing("parameter", at);
      continue;
    }
    const [ourDocument, own] = found;
    findings.noteUnlessEqual(at, "name", own.name, parameter.name);
    findings.noteUnlessEqual(at, "required", own.required === true, parameter.required === true);
    compareSchemas(
      findings,
      at,
      [ourDocument, own.schema ?? own],
      [theirDocument, parameter.schema ?? parameter],
    );
  }
  for (const key of ours.keys()) {
    if (!theirs.has(key)) findings.note(place, `only ours has the parameter ${key}`);
  }
}
