import { createHash } from "node:crypto";
import { matchesPattern } from "../authorization/pattern.ts";
import type { SubscriptionSettings } from "../settings/settings.ts";
import type { Store } from "../store/store.ts";
import type { Fault, FaultInForce } from "./definitions/fault.ts";
import type { FaultTallies } from "./definitions/fault-tallies.ts";
import { appliesTo, effectOf, type Injection } from "./effects.ts";
import type { Subject } from "./subject.ts";

const nothing: Injection = {};

/**
 * Active faults. Three values determine the affected requests: the seed, the fault's name and the number of earlier matching
 * requests. A repeated request sequence therefore encounters identical faults.
 */
export class Faults {
  readonly #store: Store;
  readonly #settings: SubscriptionSettings;
  readonly #tallies: FaultTallies;

  constructor(store: Store, settings: SubscriptionSettings, tallies: FaultTallies) {
    this.#store = store;
    this.#settings = settings;
    this.#tallies = tallies;
  }

  list(): readonly FaultInForce[] {
    return Object.entries(this.#settings.current.faults).map(([name, fault]) => {
      return { name, fault, ...this.#tallies.of(name) };
    });
  }

  /**
   * Selects the faults for a request and updates the request counts. `isInner` is true if an Azure service sends the request
   * instead of a client.
   */
  draw(subject: Subject, isInner = false): Injection {
    const faults = Object.entries(this.#settings.current.faults);
    if (faults.length === 0) return nothing;
    return this.#store.transaction(() => {
      let all = nothing;
      for (const [name, fault] of faults) {
        if (!matches(fault, subject) || !appliesTo(fault, subject, isInner) || !this.#strikes(name, fault))
          continue;
        all = together(all, effectOf(fault, subject));
        if (all.refusal || all.drop === "before") break;
      }
      return all;
    });
  }

  #strikes(name: string, fault: Fault): boolean {
    const { matched, injected } = this.#tallies.of(name);
    const { skip = 0, count = Number.POSITIVE_INFINITY, percent = 100 } = fault;
    if (injected >= count) return false;
    const strikes = matched >= skip && this.#chance(name, matched) * 100 < percent;
    this.#tallies.set(name, { matched: matched + 1, injected: injected + (strikes ? 1 : 0) });
    return strikes;
  }

  /** Returns a deterministic number from 0 to 1 for the nth matching request. */
  #chance(name: string, turn: number): number {
    const { faultSeed } = this.#settings.current;
    const digest = createHash("sha256").update(`${faultSeed}\n${name}\n${turn}`).digest();
    return digest.readUInt32BE(0) / 2 ** 32;
  }
}

function matches(fault: Fault, subject: Subject): boolean {
  const {
    service = fault.kind === "secret-expired" ? "entra" : "arm",
    type,
    except,
    verb,
    scope,
    clientId,
  } = fault;
  const isOneOf = (patterns: string) =>
    patterns.split(",").some((each) => matchesPattern(each.trim(), subject.type));
  return (
    service === subject.service &&
    (verb === undefined || verb === subject.verb) &&
    (type === undefined || isOneOf(type)) &&
    (except === undefined || !isOneOf(except)) &&
    (scope === undefined || isWithin(subject.id, scope)) &&
    (clientId === undefined || clientId.toLowerCase() === subject.clientId?.toLowerCase())
  );
}

function isWithin(id: string, scope: string): boolean {
  const end = scope.replace(/\/+$/, "").toLowerCase();
  return `${id.toLowerCase()}/`.startsWith(`${end}/`);
}

/** Combines two effects. Delays are added. If both effects contain a failure, the failure of the first effect applies. */
function together(a: Injection, b: Injection): Injection {
  const outcome =
    a.outcome && b.outcome
      ? { ...b.outcome, ...a.outcome, delayMs: a.outcome.delayMs + b.outcome.delayMs }
      : (a.outcome ?? b.outcome);
  return { ...a, ...b, delayMs: (a.delayMs ?? 0) + (b.delayMs ?? 0), ...(outcome ? { outcome } : {}) };
}
