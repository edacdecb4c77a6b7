import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { Metrics } from "@keelson/base";
import { InvalidArgumentError } from "commander";
import { writeFileAtomically } from "../state/atomic-file.ts";

/** Result of a mirror run, from which the metrics are computed. */
export interface MirrorRun {
  /** Number of images by result. */
  readonly images: Readonly<Record<"copied" | "present" | "failed", number>>;
  readonly isComplete: boolean;
  readonly startedAt: Date;
  readonly endedAt: Date;
}

/** Parses the path of a metrics file. The collector of node_exporter reads only files with the extension `.prom`. */
export function metricsFile(text: string): string {
  const path = resolve(text);
  if (!path.endsWith(".prom"))
    throw new InvalidArgumentError(
      "expected a file with the extension .prom, for example /var/lib/node_exporter/mirror.prom.",
    );
  if (!statSync(dirname(path), { throwIfNoEntry: false })?.isDirectory())
    throw new InvalidArgumentError(
      `directory ${dirname(path)} not found. Create it first, for example with mkdir -p.`,
    );
  return path;
}

/**
 * Writes the metrics of a run for the textfile collector of Prometheus' node_exporter. After a failed run, the file still
 * contains the time of the last complete run.
 */
export async function writeMirrorMetrics(path: string, run: MirrorRun): Promise<void> {
  const metrics = new Metrics();
  const images = metrics.gauge<"result">({
    name: "mirror_images",
    help: "Images of the last run of keelson mirror, by result (copied, present, failed)",
    labels: ["result"],
  });
  for (const result of ["copied", "present", "failed"] as const) images.set(run.images[result], { result });
  const gauge = (name: string, help: string, value: number) => metrics.gauge({ name, help }).set(value);
  gauge(
    "mirror_duration_seconds",
    "Duration of the last run of keelson mirror",
    (run.endedAt.getTime() - run.startedAt.getTime()) / 1_000,
  );
  const lastSuccess = run.isComplete ? run.endedAt.getTime() / 1_000 : lastSuccessIn(path);
  // The metric is absent until the first complete run, so that an alert cannot mistake 0 for a time.
  if (lastSuccess !== undefined)
    gauge(
      "mirror_last_success_seconds",
      "End of the last run of keelson mirror without a failure, in seconds since 1970",
      lastSuccess,
    );
  const { body } = await metrics.expose();
  writeFileAtomically(path, body, 0o644);
}

function lastSuccessIn(path: string): number | undefined {
  if (!existsSync(path)) return undefined;
  const [, seconds] = /^mirror_last_success_seconds (\S+)$/m.exec(readFileSync(path, "utf8")) ?? [];
  const value = Number(seconds);
  return seconds === undefined || Number.isNaN(value) ? undefined : value;
}
