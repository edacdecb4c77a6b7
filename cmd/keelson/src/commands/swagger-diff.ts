import { globSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import process from "node:process";
import { isCoded } from "@keelson/base";
import {
  type Comparison,
  compareDocuments,
  type Finding,
  isDocument,
  listApiDocuments,
  type OpenApiDocument,
  readApiDocument,
  readDocument,
} from "@keelson/openapi";
import type { Command } from "commander";
import { outputOption } from "../options/output-option.ts";
import { cliErrors } from "../output/cli-errors.ts";

interface Flags {
  readonly output: "table" | "json";
  readonly version?: string;
}

/**
 * `keelson swagger diff PATH`: compares published OpenAPI documents with the documents of this service. Exits with 0 if clients
 * of the published documents can use this service.
 */
export function addSwaggerDiff(swagger: Command): void {
  swagger
    .command("diff")
    .description("compare the built-in OpenAPI documents with published documents, and list the differences")
    .argument("<path>", "published OpenAPI 2 document, or a directory tree with published documents")
    .option("--version <version>", "API version to compare (default: all versions in <path>)")
    .addOption(outputOption())
    .addHelpText(
      "after",
      `
Differences are published paths, operations, parameters, responses and properties that the built-in documents lack. Different
types, formats, values and operation IDs are also differences. All other deviations are notes, which do not change the exit code.
The command resolves references and inheritance before the comparison.
Exit codes: 0 no differences, 1 differences, 2 nothing to compare.`,
    )
    .addHelpText("after", "\nExample:\n  keelson swagger diff azure-rest-api-specs/specification")
    .action((path: string, flags: Flags, command: Command) => {
      const comparisons = given(path, flags, command).map(compare);
      const text = flags.output === "json" ? `${JSON.stringify(comparisons)}\n` : report(comparisons);
      process.stdout.write(text);
      const wrong = comparisons.filter(({ missing, different }) => missing.length + different.length > 0);
      if (wrong.length === 0) return;
      const versions = wrong.map(({ version }) => version).join(", ");
      throw cliErrors.DocumentsDiffer(`our documents lack or contradict something published in ${versions}`);
    });
}

/**
 * Reads the published documents. If a document is unreadable, the command exits with code 2, because code 1 means that the
 * documents differ.
 */
function given(path: string, { version }: Flags, command: Command): readonly OpenApiDocument[] {
  try {
    return documentsAt(resolve(path), version);
  } catch (error) {
    if (isCoded(error)) command.error(`keelson: ${error.message}`, { exitCode: 2 });
    throw error;
  }
}

/** Returns the published documents at a path, sorted by version. */
function documentsAt(path: string, version?: string): readonly OpenApiDocument[] {
  const found = filesAt(path).filter(isDocument).map(readDocument);
  if (found.length === 0) {
    throw cliErrors.NothingToCompare(
      `${path} holds no OpenAPI 2 document with paths: name the document, or a folder above it`,
    );
  }
  const sorted = found.sort((a, b) => (a.info.version < b.info.version ? -1 : 1));
  const chosen = sorted.filter(({ info }) => version === undefined || info.version === version);
  if (chosen.length > 0) return chosen;
  const versions = [...new Set(sorted.map(({ info }) => info.version))].join(", ");
  throw cliErrors.NothingToCompare(
    `${path} holds no OpenAPI 2 document of version ${version}: there are ${versions}`,
  );
}

function filesAt(path: string): readonly string[] {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) throw cliErrors.NothingToCompare(`there is no file or folder ${path}`);
  return stats.isFile() ? [path] : globSync("**/*.json", { cwd: path }).map((name) => join(path, name));
}

/**
 * Compares a published document with this service's document of the same API version. If this service has no such document, all
 * operations of the published document count as missing.
 */
function compare(theirs: OpenApiDocument): Comparison {
  const { version } = theirs.info;
  const known = listApiDocuments().some((document) => document.version === version);
  const nothing = { ...theirs, paths: {}, definitions: {}, parameters: {} };
  return compareDocuments(known ? readApiDocument(version) : nothing, theirs);
}

function report(comparisons: readonly Comparison[]): string {
  const total = (of: (comparison: Comparison) => readonly Finding[]) =>
    comparisons.reduce((sum, comparison) => sum + of(comparison).length, 0);
  const sums = [
    `${total(({ missing }) => missing)} missing`,
    `${total(({ different }) => different)} different`,
    `${total(({ notes }) => notes)} notes`,
  ];
  return `${comparisons.map(reportOne).join("")}versions compared: ${comparisons.length}; ${sums.join(", ")}\n`;
}

function reportOne({ version, counts, missing, different, notes }: Comparison): string {
  const compared = Object.entries(counts).map(([what, count]) => `${count} ${what}`);
  const list = (title: string, findings: readonly Finding[]) =>
    findings.map(({ where, what }) => `  ${title}  ${where}: ${what}\n`).join("");
  return [
    `${version}: ${compared.join(", ")} compared; ${missing.length} missing, ${different.length} different\n`,
    list("MISSING", missing),
    list("DIFFERS", different),
    list("note   ", notes),
  ].join("");
}
