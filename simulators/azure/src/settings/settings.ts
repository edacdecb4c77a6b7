import { isPlainObject, type JsonObject, type JsonValue, mergePatch, type TokenLimit } from "@keelson/base";
import { ArmError } from "../arm/arm-error.ts";
import { requestKinds } from "../arm/rate-limits.ts";
import type { RightsSource, ServiceSettings, SettingsAccess } from "../arm/service-settings.ts";
import { asJson, isJsonObject } from "../base/json.ts";
import { type Fault, faultProblem, isFault } from "../faults/definitions/fault.ts";
import type { FaultTallies } from "../faults/definitions/fault-tallies.ts";
import type { Store, Table } from "../store/store.ts";

/** Settings that clients cannot change through ARM, such as capacities and rights. */
export interface Settings extends ServiceSettings {
  /** Faults by name. If a name is written again, the new fault replaces the existing fault completely. */
  readonly faults: Readonly<Record<string, Fault>>;
  /** Seed for faults that apply to a percentage of requests. The seed determines the affected requests. */
  readonly faultSeed: number;
}

/** Patch of settings. Null restores the default. */
export type SettingsPatch = Nullable<Settings>;

type Nullable<T> = T extends Fault
  ? T
  : T extends object
    ? { readonly [Name in keyof T]?: Nullable<T[Name]> | null }
    : T;

/** Maximum clock offset in ms: 100 years. This limit keeps dates in the valid range. */
const maxAheadMs = 100 * 365 * 86_400_000;

const members: { readonly [Name in keyof Settings]: (value: unknown) => boolean } = {
  quotas: (value) => isMap(value, (limits) => isMap(limits, (limit) => Number.isSafeInteger(limit))),
  skus: (value) =>
    isMap(value, (sizes) =>
      isMap(sizes, (each) => each === "available" || each === "restricted" || each === "absent"),
    ),
  directoryDelayMs: (value) => Number.isSafeInteger(value) && Number(value) >= 0,
  failed: isMarks,
  unhealthy: isMarks,
  faults: (value) => isMap(value, isFault),
  faultSeed: (value) => Number.isSafeInteger(value),
  rightsDelayMs: (value) => Number.isSafeInteger(value) && Number(value) >= 0,
  rateLimits: (value) =>
    isMap(value, (limit, kind) => requestKinds.some((each) => each === kind) && isLimit(limit)),
  clockAheadMs: (value) => Number.isSafeInteger(value) && Math.abs(Number(value)) <= maxAheadMs,
  rights: (value) => isMap(value, isRightsSource),
  defaultRights: isRightsSource,
  unknownApplications: (value) => value === "refused" || value === "registered",
  graphRoles: (value) =>
    isMap(value, (roles) => Array.isArray(roles) && roles.every((each) => typeof each === "string")),
};

const none: Settings = {
  quotas: {},
  skus: {},
  rights: {},
  defaultRights: "assignments",
  unknownApplications: "refused",
  graphRoles: {},
  directoryDelayMs: 0,
  failed: {},
  unhealthy: {},
  faults: {},
  faultSeed: 0,
  rightsDelayMs: 0,
  rateLimits: {},
  clockAheadMs: 0,
};
const key = "settings";

/** Persistent settings of one subscription. */
export class SubscriptionSettings implements SettingsAccess {
  readonly #table: Table<Settings>;
  readonly #tallies: FaultTallies;

  constructor(store: Store, tallies: FaultTallies) {
    this.#tallies = tallies;
    this.#table = store.table("settings");
  }

  get current(): Settings {
    return { ...none, ...this.#table.get(key) };
  }

  /** Removes a resource from the list of failed resources after a successful write. Must run in a transaction. */
  forgetFailure(id: string): void {
    const key = id.toLowerCase();
    if (this.current.failed[key]) this.change({ failed: { [key]: null } });
  }

  /**
   * Applies a JSON merge patch to the settings. `null` restores a default. Must run in a transaction.
   * @throws ArmError 400 for invalid settings
   */
  change(patch: JsonValue | undefined): Settings {
    checkFaults(patch);
    for (const name of faultsNamed(patch, this.current)) this.#tallies.forget(name);
    const merged: unknown = mergePatch(withoutFaultsNamedIn(patch, asJson(this.current)), patch ?? null);
    if (!isSettings(merged)) {
      throw new ArmError(
        400,
        "InvalidSettings",
        `The settings are an object with the properties ${Object.keys(members).join(", ")}. 'skus' has 'available', 'restricted' or 'absent' by location and size. 'rights' has 'everything' or 'assignments' by client ID. 'unknownApplications' is 'refused' or 'registered'. 'failed' and 'unhealthy' have true by lower-case resource ID.`,
      );
    }
    const settings = { ...none, ...merged };
    this.#table.set(key, settings);
    return settings;
  }
}

/** Validates the faults in a patch. @throws ArmError 400 with the problem of an invalid fault */
function checkFaults(patch: JsonValue | undefined): void {
  for (const [name, fault] of Object.entries(faultsIn(patch))) {
    const problem = fault === null ? undefined : faultProblem(fault);
    if (problem) throw new ArmError(400, "InvalidFault", `The fault '${name}' is invalid: ${problem}.`);
  }
}

/**
 * Removes the faults that the patch replaces. The parameters of the old fault must not be merged with those of the new fault,
 * because each fault kind has different parameters.
 */
function withoutFaultsNamedIn(patch: JsonValue | undefined, settings: JsonValue): JsonValue {
  const named = Object.keys(faultsIn(patch)).map((name) => [name, null] as const);
  return mergePatch(settings, { faults: Object.fromEntries(named) });
}

/** Returns the names of the faults that a patch sets, replaces or removes. */
function faultsNamed(patch: JsonValue | undefined, { faults }: Settings): readonly string[] {
  const takesAll = isJsonObject(patch) && patch.faults === null;
  return Object.keys(takesAll ? faults : faultsIn(patch));
}

function faultsIn(settings: JsonValue | undefined): JsonObject {
  const faults = isJsonObject(settings) ? settings.faults : undefined;
  return isJsonObject(faults) ? faults : {};
}

function isSettings(value: unknown): value is Partial<Settings> {
  return isMap(value, (each, name) => Object.hasOwn(members, name) && Boolean(checkOf(name)?.(each)));
}

function checkOf(name: string): ((value: unknown) => boolean) | undefined {
  return Object.entries(members).find(([each]) => each === name)?.[1];
}

function isRightsSource(value: unknown): value is RightsSource {
  return value === "everything" || value === "assignments";
}

function isLimit(value: unknown): value is TokenLimit {
  const isCount = (each: unknown) => typeof each === "number" && Number.isFinite(each) && each > 0;
  return isPlainObject(value) && isCount(value.burst) && isCount(value.perSecond);
}

function isMap(value: unknown, each: (value: unknown, name: string) => boolean): boolean {
  return isPlainObject(value) && Object.entries(value).every(([name, member]) => each(member, name));
}

function isMarks(value: unknown): boolean {
  return isMap(value, (each, id) => each === true && id === id.toLowerCase());
}
