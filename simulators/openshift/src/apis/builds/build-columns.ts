import type { KubeObject } from "@keelson/apiserver";
import { numberAt, stringAt, valueAt } from "@keelson/base";
import { computedColumn, textColumn } from "../columns.ts";
import { relativeTime } from "../relative-time.ts";

/** Table columns of builds (openshift/openshift-apiserver pkg/build/printers). */
export const buildColumns = [
  textColumn("Type", ".spec.strategy.type"),
  computedColumn("From", sourceText),
  computedColumn("Status", (build) => {
    const reason = stringAt(build, "status", "reason");
    return `${stringAt(build, "status", "phase") ?? ""}${reason ? ` (${reason})` : ""}`;
  }),
  computedColumn("Started", (build, now) => {
    const started = stringAt(build, "status", "startTimestamp");
    return started ? relativeTime(started, now) : "";
  }),
  computedColumn("Duration", (build) => {
    const nanoseconds = numberAt(build, "status", "duration") ?? 0;
    return nanoseconds > 0 ? `${Math.round(nanoseconds / 1e9)}s` : "";
  }),
];

export const buildConfigColumns = [
  textColumn("Type", ".spec.strategy.type"),
  computedColumn("From", sourceText),
  computedColumn("Latest", (config) => String(numberAt(config, "status", "lastVersion") ?? 0)),
];

function sourceText(object: KubeObject): string {
  const source = valueAt(object, "spec", "source");
  const has = (field: string) => valueAt(source, field) !== undefined;
  if (has("binary")) return "Binary";
  const ref = stringAt(source, "git", "ref");
  const revision =
    stringAt(object, "spec", "revision", "git", "commit")?.slice(0, 7) || (ref === "" ? undefined : ref);
  const git = `Git${revision ? `@${revision}` : ""}`;
  if (has("dockerfile")) return has("git") ? `Dockerfile,${git}` : "Dockerfile";
  return has("git") ? git : "";
}
