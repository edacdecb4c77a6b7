import { type OpenApiDocument, reachable } from "@keelson/openapi";
import { type OperationSet, operationSetOf, operationSets, type VersionGroups } from "./operation-sets.ts";
import {
  clientClass,
  groupClass,
  groupsOf,
  sharedOperation,
  sharedOperationsModule,
} from "./typescript-client.ts";
import { typeDeclaration } from "./typescript-types.ts";
import { type Identified, oldestFirst, VersionHomes } from "./version-homes.ts";

const origin = "// Made by `make generate` from api/, where changes belong.\n";

/** Exported type or class of a module. */
interface Declaration extends Identified {
  readonly kind: "type" | "class";
  readonly name: string;
  readonly text: string;
}

/**
 * Generates a module for each document. A module contains the types and the client of one version. Declarations that did not
 * change since an older version are imported from that version's module.
 */
export function typescriptModules(documents: readonly OpenApiDocument[]): ReadonlyMap<string, string> {
  const homes = new VersionHomes();
  const versions = oldestFirst(documents);
  const sets = operationSets(
    new Map(versions.map((document) => [document.info.version, sharedOperations(document)])),
  );
  const modules = versions.map((document): [string, string] => {
    const { version } = document.info;
    const declarations = declarationsOf(document, sets);
    homes.add(version, declarations);
    return [version, moduleOf(document, declarations, (each) => homes.of(each, version))];
  });
  return new Map([...modules, ["shared/operations", origin + sharedOperationsModule(sets)]]);
}

function sharedOperations(document: OpenApiDocument): VersionGroups {
  return new Map(
    [...groupsOf(document)].map(([group, operations]) => [
      group,
      operations.map((known) => sharedOperation(document, known)),
    ]),
  );
}

function declarationsOf(document: OpenApiDocument, sets: readonly OperationSet[]): readonly Declaration[] {
  const { definitions } = document;
  const types = new Map(
    Object.entries(definitions).map(([name, schema]) => [name, typeDeclaration(name, schema)]),
  );
  const declare = (kind: Declaration["kind"], name: string, text: string, source: unknown): Declaration => {
    const needed = [...reachable(source, definitions)].sort().map((need) => types.get(need));
    return { kind, name, text, identity: [name, text, ...needed].join("\n") };
  };
  const shared = sharedOperations(document);
  const classes = [...groupsOf(document)].flatMap(([group, operations]) => {
    const set = operationSetOf(sets, group, shared.get(group) ?? []);
    const name = `${group}Operations`;
    return set ? [declare("class", name, groupClass(document, name, set, operations), operations)] : [];
  });
  return [...classes, ...[...types].map(([name, text]) => declare("type", name, text, definitions[name]))];
}

function moduleOf(
  document: OpenApiDocument,
  declarations: readonly Declaration[],
  homeOf: (declaration: Declaration) => string,
): string {
  const { version } = document.info;
  const homes = Map.groupBy(declarations, homeOf);
  const own = homes.get(version) ?? [];
  homes.delete(version);
  const classes = declarations.filter(({ kind }) => kind === "class").map(({ name }) => name);
  const text = [clientClass(document, classes), ...own.map((declaration) => declaration.text)].join("\n");
  const code = text.replaceAll(/\/\*\*.*?\*\//gs, "");
  const isUsed = ({ name }: Declaration) => new RegExp(`\\b${name}\\b`).test(code);
  const older = [...homes].map(([home, shared]) => shareFrom(home, shared, isUsed)).join("");
  return `${origin}import { ArmConnection, type ClientOptions, type TokenCredential } from "../connection/arm-connection.ts";
${text.includes(" extends shared.") ? 'import * as shared from "./shared/operations.ts";\n' : ""}${older}
export const apiVersion = "${version}";

${text}`;
}

/** Returns statements that re-export shared declarations, and import those that the module uses. */
function shareFrom(
  home: string,
  shared: readonly Declaration[],
  isUsed: (declaration: Declaration) => boolean,
): string {
  const statement = (verb: string, declarations: readonly Declaration[]) => {
    const names = declarations.map(({ kind, name }) => `  ${kind === "type" ? "type " : ""}${name},\n`);
    return names.length === 0 ? "" : `${verb} {\n${names.join("")}} from "./${home}.ts";\n`;
  };
  return statement("import", shared.filter(isUsed)) + statement("export", shared);
}
