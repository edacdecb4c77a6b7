import {
  getAllServicesAtAllVersions,
  resolveAutorestOptions,
  sortOpenAPIDocument,
} from "@azure-tools/typespec-autorest";
import type { OpenApiDocument } from "@keelson/openapi";
import {
  compile,
  formatDiagnostic,
  getSourceLocation,
  NodeHost,
  NoTarget,
  navigateProgram,
  type Program,
  type Type,
} from "@typespec/compiler";
import { selfContained } from "./self-contained.ts";

/**
 * Compiles the TypeSpec at `main`. Returns the OpenAPI 2 document of each service and version, oldest first.
 * @throws Error with all problems in the source
 */
export async function emitDocuments(main: string): Promise<readonly OpenApiDocument[]> {
  const program = await compile(NodeHost, main, { noEmit: true });
  report(program);
  ownCommonTypes(program);
  const options = resolveAutorestOptions(program, "/", {
    "emit-lro-options": "all",
    "omit-unreachable-types": true,
    "type-name-strategy": "name-only",
  });
  const services = await getAllServicesAtAllVersions(program, options);
  report(program);
  return services.flatMap((service) => {
    const versions = service.versioned ? service.versions : [service];
    // The library's document type restricts extensions, so the documents are converted to the project's type.
    return versions.map(({ document }) =>
      selfContained(sortOpenAPIDocument(document) as unknown as OpenApiDocument),
    );
  });
}

/**
 * Includes ARM's common types in each document. By default, documents refer to external files that contain the common types. The
 * library detects common types by their decorators, so this function removes the decorators.
 */
function ownCommonTypes(program: Program): void {
  const own = (type: Type) => {
    if (!("decorators" in type)) return;
    type.decorators = type.decorators.filter(
      ({ decorator }) =>
        decorator.name !== "$armCommonDefinition" && decorator.name !== "$armCommonParameter",
    );
  };
  const everywhere = { includeTemplateDeclaration: true };
  navigateProgram(program, { model: own, modelProperty: own, enum: own, union: own }, everywhere);
}

/** Throws if there are errors, or warnings about the project's own source. Ignores warnings about the libraries. */
function report(program: Program): void {
  const relevant = program.diagnostics.filter(({ severity, target }) => {
    if (severity === "error" || target === NoTarget) return true;
    return !getSourceLocation(target)?.file.path.includes("/node_modules/");
  });
  if (relevant.length === 0) return;
  throw new Error(`the TypeSpec is wrong:\n${relevant.map((found) => formatDiagnostic(found)).join("\n")}`);
}
