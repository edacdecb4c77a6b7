import { resolve } from "node:path";
import process from "node:process";
import type { ContentProblem } from "@keelson/samples-operator";
import { type Command, InvalidArgumentError, Option } from "commander";
import { outputOption } from "../options/output-option.ts";
import { cliErrors } from "../output/cli-errors.ts";
import { tableOf } from "../output/table.ts";
import { stopSignal } from "../process/stop-signals.ts";

interface Flags {
  readonly output: "table" | "json";
}

interface SyncFlags extends Flags {
  readonly from: string;
  readonly to: string;
  readonly arch: readonly string[];
  readonly distribution: "ocp" | "okd";
  readonly download: boolean;
  readonly allowPrivateAddresses: boolean;
}

const architectures = ["x86_64", "aarch64", "ppc64le", "s390x"];

/** `keelson samples ...`: builds and checks the imagestream and template catalogues of the samples operator. */
export function addSamples(root: Command): Command {
  const samples = root
    .command("samples")
    .description("build catalogues of the samples operator from openshift/library, and validate them");
  samples
    .command("sync")
    .description("build catalogues from the manifests of a checkout of openshift/library")
    .requiredOption("--from <source>", "directory of the checkout, or https URL of the repository")
    .option(
      "--arch <name...>",
      `architectures: ${architectures.join(", ")}`,
      parseArchitecture,
      architectures,
    )
    .addOption(
      new Option("--distribution <name>", "distribution of the samples")
        .choices(["ocp", "okd"])
        .default("ocp"),
    )
    .option("--to <dir>", "output directory, with a subdirectory for each architecture", "content")
    .option("--download", "fetch locations that are URLs instead of using the copies of the checkout", false)
    .option(
      "--allow-private-addresses",
      "allow downloads from hosts of private networks and without TLS",
      false,
    )
    .addOption(outputOption())
    .addHelpText(
      "after",
      "\nReplaces the directory of each architecture. The same checkout always gives the same files. Invalid entries are left\nout, and the exit code is 1.",
    )
    .action(sync);
  samples
    .command("verify")
    .description("validate catalogues: names, images, tag references, template parameters")
    .argument(
      "[dir]",
      "directory with a subdirectory for each architecture, or one catalogue (default: built-in catalogues)",
    )
    .addOption(outputOption())
    .addHelpText("after", "\nThe exit code is 1 if a file cannot be installed. Warnings do not change it.")
    .action(verify);
  return samples;
}

function parseArchitecture(name: string, earlier: readonly string[]): readonly string[] {
  if (!architectures.includes(name) && !["amd64", "arm64"].includes(name))
    throw new InvalidArgumentError(`expected one of ${architectures.join(", ")}.`);
  return earlier === architectures ? [name] : [...earlier, name];
}

async function sync(flags: SyncFlags): Promise<void> {
  const { syncCatalogues } = await import("@keelson/samples-operator");
  const { arch, output, ...options } = flags;
  const from = /^[a-z][a-z0-9+.-]*:\/\//i.test(flags.from) ? flags.from : resolve(flags.from);
  const to = resolve(flags.to);
  const synced = await syncCatalogues(
    { ...options, from, to, architectures: arch, environment: process.env },
    stopSignal(() => undefined),
  );
  const rows = synced.map(({ architecture, folder, imageStreams, templates }) => [
    architecture,
    `${imageStreams}`,
    `${templates}`,
    folder,
  ]);
  report(output, synced, [["ARCHITECTURE", "IMAGESTREAMS", "TEMPLATES", "FOLDER"], ...rows]);
}

async function verify(dir: string | undefined, { output }: Flags): Promise<void> {
  const { shippedCatalogues, verifyCatalogues } = await import("@keelson/samples-operator");
  const verified = await verifyCatalogues(
    dir === undefined ? shippedCatalogues : resolve(dir),
    stopSignal(() => undefined),
  );
  const rows = verified.map(({ folder, imageStreams, tags, templates }) => [
    `${imageStreams}`,
    `${tags}`,
    `${templates}`,
    folder,
  ]);
  report(output, verified, [["IMAGESTREAMS", "TAGS", "TEMPLATES", "FOLDER"], ...rows]);
}

/** Prints the findings. @throws SamplesWrong if a file was skipped */
function report(
  output: Flags["output"],
  catalogues: readonly { readonly folder: string; readonly problems: readonly ContentProblem[] }[],
  table: readonly (readonly string[])[],
): void {
  const problems = catalogues.flatMap(({ folder, problems: each }) =>
    each.map(({ severity, file, message }) => ({
      severity,
      text: `${severity}: ${folder}: ${file}: ${message}\n`,
    })),
  );
  const text =
    output === "json"
      ? `${JSON.stringify(catalogues)}\n`
      : `${tableOf(table)}${problems.map((each) => each.text).join("")}`;
  process.stdout.write(text);
  const errors = problems.filter(({ severity }) => severity === "error").length;
  if (errors > 0)
    throw cliErrors.SamplesWrong(
      `${errors} of the samples ${errors === 1 ? "is" : "are"} wrong and left out`,
    );
}
