import { textAt, textsAt, valueAt } from "../json/access.ts";
import type { WriteOptions } from "../registry/registry-context.ts";
import type { RemoveOptions } from "../registry/remove.ts";
import { fieldError } from "../status/field-error.ts";
import { failures } from "../status/status-error.ts";

/** The query parameters of a create, update or patch. @throws StatusError 422 */
export function writeOptions(
  query: URLSearchParams,
  kind: "CreateOptions" | "UpdateOptions" | "PatchOptions",
  warn: (text: string) => void,
): WriteOptions {
  const validation = query.get("fieldValidation") ?? "";
  const manager = query.get("fieldManager") ?? "";
  const causes = [
    ...dryRunCauses(query.getAll("dryRun")),
    ...(["", "Ignore", "Warn", "Strict"].includes(validation)
      ? []
      : [fieldError.notSupported("fieldValidation", validation, ["", "Ignore", "Strict", "Warn"])]),
    ...(manager.length > 128 ? [fieldError.tooLong("fieldManager", 128)] : []),
    ...(query.has("force")
      ? [fieldError.forbidden("force", "may not be specified for non-apply patch")]
      : []),
  ];
  if (causes.length > 0) throw failures.invalid({ group: "meta.k8s.io", kind }, "", causes);
  return {
    dryRun: query.getAll("dryRun").includes("All"),
    fieldValidation: validation === "Ignore" || validation === "Strict" ? validation : "Warn",
    warn,
  };
}

/** The options of a deletion, from its body and its query parameters. @throws StatusError 422 */
export function removeOptions(query: URLSearchParams, body: unknown): RemoveOptions {
  const policy = textAt(body, "propagationPolicy") || query.get("propagationPolicy") || "";
  const orphan = valueAt(body, "orphanDependents") ?? query.get("orphanDependents");
  const dryRun = [...textsAt(body, "dryRun"), ...query.getAll("dryRun")];
  const wanted = policy || (orphan === true || orphan === "true" ? "Orphan" : "");
  const causes = [
    ...dryRunCauses(dryRun),
    ...(["", "Background", "Foreground", "Orphan"].includes(wanted)
      ? []
      : [fieldError.notSupported("propagationPolicy", wanted, ["Background", "Foreground", "Orphan"])]),
  ];
  if (causes.length > 0) throw failures.invalid({ group: "meta.k8s.io", kind: "DeleteOptions" }, "", causes);
  const uid = textAt(body, "preconditions", "uid");
  const resourceVersion = textAt(body, "preconditions", "resourceVersion");
  return {
    propagationPolicy:
      wanted === "Background" || wanted === "Foreground" || wanted === "Orphan" ? wanted : undefined,
    preconditions: { uid: uid || undefined, resourceVersion: resourceVersion || undefined },
    dryRun: dryRun.includes("All"),
  };
}

function dryRunCauses(values: readonly string[]) {
  const wrong = values.filter((value) => value !== "All" && value !== "");
  return wrong.map((value) => fieldError.notSupported("dryRun", value, ["All"]));
}
