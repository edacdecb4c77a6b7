import { type OpenApiDocument, reachable } from "@keelson/openapi";
import { clientClass, groupClass, groupsOf } from "./typescript-client.ts";
import { typeDeclaration } from "./typescript-types.ts";
import { type Identified, oldestFirst, VersionHomes } from "./version-homes.ts";

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
  return new Map(
    oldestFirst(documents).map((document) => {
      const { version } = document.info;
      const declarations = declarationsOf(document);
      homes.add(version, declarations);
      return [version, moduleOf(document, declarations, (each) => homes.of(each, version))];
    }),
  );
}

function declarationsOf(document: OpenApiDocument): readonly Declaration[] {
  const { definitions } = document;
  const types = new Map(
    Object.entries(definitions).map(([name, schema]) => [name, typeDeclaration(name, schema)]),
  );
  const declare = (kind: Declaration["kind"], name: string, text: string, source: unknown): Declaration => {
    const needed = [...reachable(source, definitions)].sort().map((need) => types.get(need));
    return { kind, name, text, identity: [name, text, ...needed].join("\n") };
  };
  const classes = [...groupsOf(document)].map(([name, operations]) =>
    declare("class", name, groupClass(document, name, operations), operations),
  );
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
  const older = [...homes].map(([home, shared]) => shareFrom(home, shared)).join("");
  const text = [clientClass(document, classes), ...own.map((declaration) => declaration.text)].join("\n");
  return `// Made by \`make generate\` from api/, where changes belong.
import {
${connectionExports
  .filter((name) => new RegExp(`\\b${name}\\b`).test(text))
  .map((name) => `  ${name === "ArmConnection" ? "" : "type "}${name},\n`)
  .join("")}} from "../connection/arm-connection.ts";
${older}
export const apiVersion = "${version}";

${text}`;
}

/** Exports of `arm-connection.ts` that modules use. */
const connectionExports = [
  "ArmConnection",
  "ClientOptions",
  "OperationOptions",
  "OperationState",
  "PagedAsyncIterableIterator",
  "PollerLike",
  "TokenCredential",
];

/** Returns statements that import and re-export shared declarations. */
function shareFrom(home: string, shared: readonly Declaration[]): string {
  const list = (withKinds: boolean) =>
    shared.map(({ kind, name }) => `  ${withKinds && kind === "type" ? "type " : ""}${name},\n`).join("");
  const all = `{\n${list(true)}}`;
  return `import ${all} from "./${home}.ts";\nexport ${all};\n`;
}
