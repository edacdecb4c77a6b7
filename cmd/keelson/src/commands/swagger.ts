import { readFileSync } from "node:fs";
import process from "node:process";
import { findApiDocument, listApiDocuments } from "@keelson/openapi";
import type { Command } from "commander";
import { outputOption } from "../options/output-option.ts";
import { tableOf } from "../output/table.ts";
import { addSwaggerDiff } from "./swagger-diff.ts";

/** `keelson swagger ...`: prints and compares the OpenAPI documents of the service's API. */
export function addSwagger(root: Command): Command {
  const swagger = root
    .command("swagger")
    .description("list, print and compare the built-in OpenAPI documents of the ARM API");
  swagger
    .command("list", { isDefault: true })
    .description("list the API versions and the file path of each OpenAPI document")
    .addOption(outputOption())
    .addHelpText("after", "\nExample:\n  keelson swagger list -o json")
    .action(({ output }: { output: "table" | "json" }) => {
      const documents = listApiDocuments();
      const rows = documents.map(({ version, file }) => [version, file]);
      const text =
        output === "json" ? `${JSON.stringify(documents)}\n` : tableOf([["VERSION", "FILE"], ...rows]);
      process.stdout.write(text);
    });
  swagger
    .command("print")
    .description("print the OpenAPI document of an API version")
    .argument("<version>", "API version, for example 2025-07-25")
    .addHelpText("after", "\nExample:\n  keelson swagger print 2025-07-25 > openshiftclusters.json")
    .action((version: string) => {
      process.stdout.write(readFileSync(findApiDocument(version).file, "utf8"));
    });
  addSwaggerDiff(swagger);
  return swagger;
}
