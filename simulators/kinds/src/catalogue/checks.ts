import { quantityOf, scalarStringAt } from "@keelson/apimachinery";
import { isPlainObject, objectAt } from "@keelson/base";
import { ipAddress, network } from "./addresses.ts";
import * as names from "./names.ts";
import type { Check } from "./type-facts.ts";

/** Requires a value. Unset and empty values are errors. */
export const required: Check = (value, findings) => {
  if (value === undefined || value === "" || (Array.isArray(value) && value.length === 0))
    findings.required();
};

export const requiredBecause =
  (why: string): Check =>
  (value, findings) => {
    if (value === undefined || value === "" || (Array.isArray(value) && value.length === 0))
      findings.required(why);
  };

/**
 * Requires one of several strings. Unset and empty strings are accepted, because a field that must be set also has the check
 * `required`.
 */
export const oneOf =
  (...supported: readonly string[]): Check =>
  (value, findings) => {
    if (value !== undefined && value !== "" && !supported.includes(String(value)))
      findings.notSupported(value, supported);
  };

export const eachOneOf =
  (...supported: readonly string[]): Check =>
  (value, findings) => {
    if (!Array.isArray(value)) return;
    for (const [at, each] of value.entries()) {
      if (!supported.includes(String(each))) findings.notSupported(each, supported, at);
    }
  };

function isNumber(value: unknown): value is number | bigint {
  return typeof value === "number" || typeof value === "bigint";
}

export const atLeast =
  (least: number, why = `must be greater than or equal to ${least}`): Check =>
  (value, findings) => {
    if (isNumber(value) && value < least) findings.invalid(value, why);
  };

export const nonNegative = atLeast(0);
export const positive = atLeast(1, "must be greater than 0");

export const between =
  (least: number, most: number): Check =>
  (value, findings) => {
    if (isNumber(value) && (value < least || value > most))
      findings.invalid(value, `must be between ${least} and ${most}, inclusive`);
  };

export const port = between(1, 65_535);

/** Validates a port number or a port name. */
export const portOrName: Check = (value, findings) => {
  if (typeof value === "number") port(value, findings);
  else if (typeof value === "string")
    for (const why of names.portNameFaults(value)) findings.invalid(value, why);
};

/** Returns a check of a string with `form`. Unset and empty strings are accepted. */
export const named =
  (form: (text: string) => string | undefined): Check =>
  (value, findings) => {
    if (typeof value !== "string" || value === "") return;
    const why = form(value);
    if (why) findings.invalid(value, why);
  };

export const dnsLabel = named(names.dnsLabel);
export const dnsSubdomain = named(names.dnsSubdomain);
export const qualifiedName = named(names.qualifiedName);

/** Requires that the field `member` has a different value in each list item. */
export const unique =
  (member: string): Check =>
  (value, findings) => {
    if (!Array.isArray(value) || value.length < 2) return;
    const seen = new Set<string>();
    for (const [at, item] of value.entries()) {
      const text = scalarStringAt(item, member);
      if (text !== "" && seen.has(text)) findings.duplicate(text, at, member);
      seen.add(text);
    }
  };

/** Validates labels or a node selector. Keys must be qualified names, and values must be label values. */
export const labels: Check = (value, findings) => {
  if (!isPlainObject(value)) return;
  for (const key in value) {
    const wrongKey = names.qualifiedName(key);
    if (wrongKey) findings.invalid(key, wrongKey);
    const entry = value[key];
    const wrongValue = typeof entry === "string" ? names.labelValue(entry) : undefined;
    if (wrongValue) findings.invalid(entry, wrongValue);
  }
};

export const address = named(ipAddress);
export const cidr: Check = (value, findings) => {
  const why = typeof value === "string" ? network(value) : undefined;
  if (why) findings.invalid(value, why);
};

/** Returns a check that applies other checks to each list item. */
export const each =
  (check: Check): Check =>
  (value, findings) => {
    if (!Array.isArray(value)) return;
    for (const [at, item] of value.entries()) {
      findings.enter(at);
      check(item, findings);
      findings.leave();
    }
  };

/** Validates a path inside a volume. The path must be relative and must not contain `..`. */
export const localPath: Check = (value, findings) => {
  if (typeof value !== "string" || value === "") return;
  if (value.startsWith("/")) findings.invalid(value, "must be a relative path");
  if (value.split("/").includes("..")) findings.invalid(value, "must not contain '..'");
};

/** Validates the path of a file that the kubelet writes. Names that begin with two dots are reserved for the kubelet. */
export const localFilePath: Check = (value, findings) => {
  localPath(value, findings);
  if (typeof value === "string" && value.startsWith("..") && !value.startsWith("../") && value !== "..")
    findings.invalid(value, "must not start with '..'");
};

/** Validates a path on a node's disk. The path must not contain `..`. */
export const noBacksteps: Check = (value, findings) => {
  if (typeof value === "string" && value.split("/").includes(".."))
    findings.invalid(value, "must not contain '..'");
};

/** Validates a count or a percentage such as `25%`. */
export const intOrPercent: Check = (value, findings) => {
  if (typeof value === "number") nonNegative(value, findings);
  else if (typeof value === "string" && !/^[0-9]+%$/.test(value))
    findings.invalid(
      value,
      "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used " +
        "for validation is '[0-9]+%')",
    );
};

export const notMoreThanAll: Check = (value, findings) => {
  if (typeof value === "string" && /^[0-9]+%$/.test(value) && Number.parseInt(value, 10) > 100)
    findings.invalid(value, "must not be greater than 100%");
};

/** Validates a resource list. Names must be valid, and quantities must not be negative. */
export const resources: Check = (value, findings) => {
  for (const [name, amount] of Object.entries(objectAt(value))) {
    const why = names.qualifiedName(name);
    if (why) findings.invalid(name, why, `[${name}]`);
    if (typeof amount === "string" && quantityOf(amount) < 0)
      findings.invalid(amount, "must be greater than or equal to 0", `[${name}]`);
  }
};

/** Requires a selector. Both a missing selector and an empty selector are errors. */
export const notEmptySelector =
  (of: string): Check =>
  (value, findings) => {
    if (value === undefined) findings.required();
    else selectsSomething(of)(value, findings);
  };

/**
 * Rejects an empty selector. Accepts a missing selector, because the kinds that use this check report a missing selector
 * separately.
 */
export const selectsSomething =
  (of: string): Check =>
  (value, findings) => {
    if (value !== undefined && isEmptySelector(value))
      findings.invalid(value, `empty selector is invalid for ${of}`);
  };

function isEmptySelector(selector: unknown): boolean {
  const { matchLabels, matchExpressions } = objectAt(selector);
  const expressions = Array.isArray(matchExpressions) ? matchExpressions.length : 0;
  return Object.keys(objectAt(matchLabels)).length + expressions === 0;
}
