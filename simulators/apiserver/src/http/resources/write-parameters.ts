import { failures, fieldError, type StatusCause, scalarStringAt } from "@keelson/apimachinery";
import { stringsAt, valueAt } from "@keelson/base";
import type { RemoveOptions } from "../../registry/remove.ts";
import type { WriteOptions } from "../../resources/registry-context.ts";
import { requireCreate } from "./request-attributes.ts";
import { type ResourceRequest, warning } from "./resource-request.ts";

const maxManagerLength = 128;

/** Kinds of meta/v1 that contain a write's query parameters. */
export type OptionsKind = "CreateOptions" | "UpdateOptions" | "PatchOptions";

/**
 * Returns the options of a create, update or patch from its query and user agent.
 * @throws StatusError 422
 */
export function writeOptions(
  call: ResourceRequest,
  kind: OptionsKind,
  strictErrors: readonly string[] = [],
  applies = false,
): WriteOptions {
  const { query, incoming } = call.request;
  const validation = query.get("fieldValidation") ?? "";
  const manager = query.get("fieldManager") ?? "";
  const dryRun = query.getAll("dryRun");
  const force = kind === "PatchOptions" ? query.get("force") : null;
  const causes = [
    ...(applies && !manager ? [fieldError.required("fieldManager", "is required for apply patch")] : []),
    ...(force !== null && !applies
      ? [fieldError.forbidden("force", "may not be specified for non-apply patch")]
      : []),
    ...managerCauses(manager),
    ...dryRunCauses(dryRun),
    ...(["", "Ignore", "Warn", "Strict"].includes(validation)
      ? []
      : [fieldError.notSupported("fieldValidation", validation, ["", "Ignore", "Strict", "Warn"])]),
  ];
  if (causes.length > 0) throw failures.invalid({ group: "meta.k8s.io", kind }, "", causes);
  return {
    dryRun: dryRun.includes("All"),
    fieldValidation: validation === "Ignore" || validation === "Strict" ? validation : "Warn",
    warn: warning(call),
    strictErrors,
    fieldManager: manager || userAgent(incoming.headers["user-agent"]),
    force: force === "" || force === "1" || force?.toLowerCase() === "true",
    subresource: call.info.subresource ?? "",
    user: call.user,
    budget: call.request.budget,
    authorizeCreate: () => requireCreate(call),
    given: {
      kind,
      apiVersion: "meta.k8s.io/v1",
      ...(dryRun.length > 0 ? { dryRun } : {}),
      ...(manager ? { fieldManager: manager } : {}),
      ...(validation ? { fieldValidation: validation } : {}),
      ...(force === null ? {} : { force: force.toLowerCase() === "true" }),
    },
  };
}

/**
 * Returns the options of a deletion from its body and query.
 * @throws StatusError 400, 422
 */
export function removeOptions(call: ResourceRequest, body: unknown): RemoveOptions {
  const { query } = call.request;
  const policy = scalarStringAt(body, "propagationPolicy") || query.get("propagationPolicy") || "";
  const orphan = valueAt(body, "orphanDependents") ?? query.get("orphanDependents") ?? undefined;
  const dryRun = [...stringsAt(body, "dryRun"), ...query.getAll("dryRun")];
  const grace = valueAt(body, "gracePeriodSeconds") ?? query.get("gracePeriodSeconds") ?? undefined;
  const gracePeriodSeconds = grace === undefined ? undefined : Number(grace);
  if (gracePeriodSeconds !== undefined && !Number.isSafeInteger(gracePeriodSeconds)) {
    throw failures.badRequest(`gracePeriodSeconds must be a number of seconds, not ${JSON.stringify(grace)}`);
  }
  const wanted = policy || (orphan === true || orphan === "true" ? "Orphan" : "");
  const causes = [
    ...(policy && orphan !== undefined
      ? [
          fieldError.invalid(
            "propagationPolicy",
            policy,
            "orphanDependents and deletionPropagation cannot be both set",
          ),
        ]
      : []),
    ...(["", "Background", "Foreground", "Orphan"].includes(policy)
      ? []
      : [
          fieldError.notSupported("propagationPolicy", policy, ["Foreground", "Background", "Orphan", "nil"]),
        ]),
    ...dryRunCauses(dryRun),
  ];
  if (causes.length > 0) throw failures.invalid({ group: "meta.k8s.io", kind: "DeleteOptions" }, "", causes);
  const uid = scalarStringAt(body, "preconditions", "uid") || undefined;
  const resourceVersion = scalarStringAt(body, "preconditions", "resourceVersion") || undefined;
  return {
    propagationPolicy:
      wanted === "Background" || wanted === "Foreground" || wanted === "Orphan" ? wanted : undefined,
    preconditions: { uid, resourceVersion },
    dryRun: dryRun.includes("All"),
    ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
    user: call.user,
    warn: warning(call),
    given: {
      kind: "DeleteOptions",
      apiVersion: "meta.k8s.io/v1",
      ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
      ...(policy ? { propagationPolicy: policy } : {}),
      ...(uid || resourceVersion
        ? { preconditions: { ...(uid ? { uid } : {}), ...(resourceVersion ? { resourceVersion } : {}) } }
        : {}),
      ...(dryRun.length > 0 ? { dryRun } : {}),
    },
  };
}

/** Returns the program name in a user agent, without its version. */
function userAgent(header = ""): string {
  const slash = header.indexOf("/");
  const program = header.slice(0, slash < 0 ? header.length : slash);
  const printable = /^[\x20-\x7e]*$/.test(program) ? program : program.replace(/[^\x20-\x7e]/g, "");
  return printable.slice(0, maxManagerLength) || "unknown";
}

function managerCauses(manager: string): readonly StatusCause[] {
  if (manager === "") return [];
  const at = [...manager].findIndex((character) => /\p{C}|[\p{Zl}\p{Zp}]/u.test(character));
  const code = ([...manager][at]?.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  const why = `invalid character U+${code} (at position ${at})`;
  return [
    ...(manager.length > maxManagerLength ? [fieldError.tooLong("fieldManager", maxManagerLength)] : []),
    ...(at >= 0 ? [fieldError.invalid("fieldManager", manager, why)] : []),
  ];
}

function dryRunCauses(values: readonly string[]): readonly StatusCause[] {
  return values.every((value) => value === "All") ? [] : [fieldError.notSupported("dryRun", values, ["All"])];
}
