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
    .description(
      "build and validate sample catalogues: the imagestreams and templates that the samples operator installs",
    );
  samples
    .command("sync")
    .description("build sample catalogues from the repository openshift/library")
    .requiredOption(
      "--from <source>",
      "checkout of openshift/library, or https URL of the repository (required)",
    )
    .addOption(
      new Option("--arch <name...>", `architectures to build: ${architectures.join(", ")}`)
        .argParser(parseArchitecture)
        .default(architectures, "all"),
    )
    .addOption(
      new Option("--distribution <name>", "OpenShift distribution of the samples")
        .choices(["ocp", "okd"])
        .default("ocp"),
    )
    .option("--to <dir>", "output directory, with a subdirectory for each architecture", "content")
    .option(
      "--download",
      "download the samples from the URLs in the library's manifests, instead of copying the samples from the checkout",
      false,
    )
    .option(
      "--allow-private-addresses",
      "allow private IP addresses and plain HTTP for downloads and for --from",
      false,
    )
    .addOption(outputOption())
    .addHelpText(
      "after",
      "\nReplaces the output subdirectory of each architecture. Builds of the same checkout are identical.\nThe command skips invalid entries. The exit code is 1 if an entry was skipped.",
    )
    .addHelpText("after", "\nExample:\n  keelson samples sync --from library --arch x86_64 --to content")
    .action(sync);
  samples
    .command("verify")
    .description("validate names, images, tag references and template parameters in sample catalogues")
    .argument(
      "[dir]",
      "directory of one catalogue, or parent directory of several (default: built-in catalogues)",
    )
    .addOption(outputOption())
    .addHelpText(
      "after",
      "\nThe exit code is 1 if the samples operator cannot install a file. The exit code is 0 if there are only warnings.",
    )
    .addHelpText("after", "\nExample:\n  keelson samples verify")
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
  const rows = synced.map(({ architecture, directory, imageStreams, templates }) => [
    architecture,
    `${imageStreams}`,
    `${templates}`,
    directory,
  ]);
  report(output, synced, [["ARCHITECTURE", "IMAGESTREAMS", "TEMPLATES", "DIRECTORY"], ...rows]);
}

async function verify(dir: string | undefined, { output }: Flags): Promise<void> {
  const { shippedCatalogues, verifyCatalogues } = await import("@keelson/samples-operator");
  const verified = await verifyCatalogues(
    dir === undefined ? shippedCatalogues : resolve(dir),
    stopSignal(() => undefined),
  );
  const rows = verified.map(({ directory, imageStreams, tags, templates }) => [
    `${imageStreams}`,
    `${tags}`,
    `${templates}`,
    directory,
  ]);
  report(output, verified, [["IMAGESTREAMS", "TAGS", "TEMPLATES", "DIRECTORY"], ...rows]);
}

/** Prints the findings. @throws SamplesWrong if a file was skipped */
function report(
  output: Flags["output"],
  catalogues: readonly { readonly directory: string; readonly problems: readonly ContentProblem[] }[],
  table: readonly (readonly string[])[],
): void {
  const problems = catalogues.flatMap(({ directory, problems: each }) =>
    each.map(({ severity, file, message }) => ({
      severity,
      text: `${severity}: ${directory}: ${file}: ${message}\n`,
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
      `${errors} of the samples ${errors === 1 ? "is invalid and was" : "are invalid and were"} skipped`,
    );
}
