import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import process from "node:process";
import { isPlainObject, messageOf, systemClock } from "@keelson/base";
import {
  failuresOf,
  type MirrorEvent,
  type MirrorReport,
  mirrorOptionsOf,
  parseMirrorConfig,
  runMirror,
} from "@keelson/mirror";
import { buildVersion } from "./build-version.ts";
import { cliErrors } from "./cli-errors.ts";
import type { MirrorFlags } from "./commands/mirror.ts";
import { type Environment, mirrorCredentials, mirrorDestination } from "./mirror-environment.ts";
import { Progress } from "./progress.ts";

/** @throws MirrorFailed naming everything that failed, after the report has been printed */
export async function runMirrorCommand(
  versions: readonly string[],
  flags: MirrorFlags,
  environment: Environment,
  signal: AbortSignal,
): Promise<void> {
  const config = parseMirrorConfig(
    flags.config ? readConfig(flags.config) : {},
    flags.config ?? "the defaults",
  );
  const destination = flags.destination ?? config.destination ?? mirrorDestination(environment);
  using progress = new Progress();
  const report = await runMirror(
    mirrorOptionsOf(config, {
      destination,
      credentials: mirrorCredentials(environment, destination),
      versions: flags.only === "images" ? undefined : versions,
      withImages: flags.only !== "releases",
      readFile: (path) => readFileSync(resolve(flags.config ? dirname(flags.config) : ".", path), "utf8"),
      stateFolder: join(flags.state, "mirror"),
      dryRun: flags.dryRun === true,
      userAgent: `keelson-mirror/${buildVersion()}`,
      clock: systemClock,
      onEvent: reporter(progress),
      signal,
    }),
  );
  progress.end();
  process.stdout.write(flags.output === "json" ? `${JSON.stringify(report)}\n` : summary(report));
  const failures = failuresOf(report);
  if (failures.length === 0) return;
  const list = failures.map(({ subject, code, message }) => `\n  ${subject}: ${code}: ${message}`).join("");
  throw cliErrors.MirrorFailed(`${failures.length} failures; run the same command again to go on${list}`);
}

function readConfig(path: string): unknown {
  try {
    const value: unknown = JSON.parse(readFileSync(path, "utf8"));
    if (isPlainObject(value)) return value;
  } catch (cause) {
    // A parser's message may quote a password.
    const reason = cause instanceof SyntaxError ? "it is not JSON" : messageOf(cause);
    throw cliErrors.ConfigUnreadable(`configuration ${path} cannot be read: ${reason}`);
  }
  throw cliErrors.ConfigUnreadable(`configuration ${path} is not a JSON object`);
}

/** On a terminal, how far it is, live; elsewhere a line for each image. */
function reporter(progress: Progress): (event: MirrorEvent) => void {
  const live = process.stderr.isTTY === true;
  let [done, known, sent] = [0, 0, 0];
  const show = () => {
    if (live) progress.update(`${done} of ${known} images, ${megabytes(sent)} sent`);
  };
  return (event) => {
    switch (event.kind) {
      case "release-read":
        return progress.say(`release ${event.version}: ${event.images} images`);
      case "release":
        return event.result.error
          ? progress.say(`release ${event.result.version} failed: ${event.result.error.message}`)
          : progress.say(`release ${event.result.version} is complete`);
      case "image": {
        ({ done, known } = event);
        const { source, status, error } = event.result;
        if (error) progress.say(`failed   ${source}: ${error.message}`);
        else if (!live) progress.say(`${status.padEnd(8)} ${source}`);
        return show();
      }
      case "bytes":
        sent = event.sentBytes;
        return show();
    }
  };
}

function summary({
  destination,
  dryRun,
  images,
  releases,
  skippedNodes,
  warnings,
  sentBytes,
}: MirrorReport): string {
  const count = (status: string) => images.filter((each) => each.status === status).length;
  const lines = [
    ...skippedNodes.map(({ version, reason }) => `left out of the release graph: ${version}: ${reason}`),
    ...warnings.map((text) => `warning: ${text}`),
    ...releases.map(({ version, images: all, failed, error }) =>
      error
        ? `release ${version}: not complete, ${failed} of ${all} images failed`
        : `release ${version}: ${all} images`,
    ),
    dryRun
      ? `${destination} lacks ${count("missing")} images, has ${count("present")}; ${count("failed")} could not be checked`
      : `${destination}: ${count("copied")} images copied, ${count("present")} were there, ${count("failed")} failed; ${megabytes(sentBytes)} sent`,
  ];
  return `${lines.join("\n")}\n`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
