import { isPlainObject } from "@keelson/base";

/** Creator and last modifier of a resource (ARM common types, systemData). Times are RFC 3339. */
export interface SystemData {
  readonly createdBy?: string;
  readonly createdByType?: string;
  readonly createdAt?: string;
  readonly lastModifiedBy?: string;
  readonly lastModifiedByType?: string;
  readonly lastModifiedAt?: string;
}

const members = [
  "createdBy",
  "createdByType",
  "createdAt",
  "lastModifiedBy",
  "lastModifiedByType",
  "lastModifiedAt",
] as const satisfies readonly (keyof SystemData)[];

const times: ReadonlySet<string> = new Set(["createdAt", "lastModifiedAt"]);
const rfc3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/;

/**
 * Parses the header `X-Ms-Arm-Resource-System-Data`. Returns undefined if the header is missing, is not a JSON object, or
 * contains a time that clients cannot parse.
 */
export function parseSystemData(header: string | undefined): SystemData | undefined {
  if (!header) return undefined;
  try {
    const value: unknown = JSON.parse(header);
    if (!isPlainObject(value)) return undefined;
    for (const [name, member] of Object.entries(value)) {
      if (times.has(name) && member !== "" && !isTime(member)) return undefined;
    }
    const known = members.filter((name) => typeof value[name] === "string" && value[name] !== "");
    return Object.fromEntries(known.map((name) => [name, value[name]]));
  } catch {
    return undefined;
  }
}

/** Returns `current` with the properties of `update` applied. If `update` is undefined, returns `current`. */
export function overlaySystemData(
  current: SystemData | undefined,
  update: SystemData | undefined,
): SystemData | undefined {
  return update ? { ...current, ...update } : current;
}

function isTime(value: unknown): boolean {
  return typeof value === "string" && rfc3339.test(value) && !Number.isNaN(Date.parse(value));
}
