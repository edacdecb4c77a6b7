import { isIPv4, isIPv6 } from "node:net";
import { isTimestamp, parseDuration, parseTimestamp } from "@keelson/cel";

type Check = (value: string) => boolean;

const uuid = (version: string) =>
  new RegExp(`^[0-9a-f]{8}-?[0-9a-f]{4}-?${version}-?[0-9a-f]{4}-?[0-9a-f]{12}$`, "i");
const matching =
  (expression: RegExp): Check =>
  (value) =>
    expression.test(value);

const longUnits: Readonly<Record<string, string>> = {
  day: "24h",
  hour: "1h",
  minute: "1m",
  second: "1s",
  week: "168h",
};

/** True for Go durations and for durations with unit names (`2 hours`, `1d`). */
function isDuration(value: string): boolean {
  if (parseDuration(value) !== undefined) return true;
  const found = /^\s*(\d+(?:\.\d*)?)\s*([a-zµμ]+)\s*$/.exec(value);
  if (!found) return false;
  const unit = found[2] ?? "";
  const short = [
    "ns",
    "us",
    "µs",
    "μs",
    "ms",
    "s",
    "m",
    "h",
    "d",
    "w",
    "nano",
    "micro",
    "milli",
    "sec",
    "min",
    "hr",
    "wk",
  ];
  return (
    short.includes(unit) ||
    short.includes(unit.replace(/s$/, "")) ||
    longUnits[unit.replace(/s$/, "")] !== undefined
  );
}

function isUri(value: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern rejects control characters.
  if (value === "" || /[\x00-\x20\x7f]/.test(value)) return false;
  return /^[A-Za-z][A-Za-z0-9+.-]*:/.test(value) ? !/%(?![0-9a-fA-F]{2})/.test(value) : value.startsWith("/");
}

function isCidr(value: string): boolean {
  const [address = "", bits = "", ...rest] = value.split("/");
  if (rest.length > 0 || !/^\d{1,3}$/.test(bits)) return false;
  return (
    (isIPv4(address) && Number(bits) <= 32) ||
    (isIPv6(address) && !address.includes("%") && Number(bits) <= 128)
  );
}

const label = "[a-zA-Z0-9]([-a-zA-Z0-9]*[a-zA-Z0-9])?";
const shortName = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const longName = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

/** Checks of the formats that Kubernetes validates, by format name without dashes. Kubernetes ignores other formats. */
const checks: Readonly<Record<string, Check>> = {
  bsonobjectid: matching(/^[0-9a-fA-F]{24}$/),
  uri: isUri,
  email: matching(/^(?:[^<>]*<)?[^\s@<>()]+@[^\s@<>()]+>?$/),
  hostname: (value) => value.length <= 253 && new RegExp(`^${label}(\\.${label})*\\.?$`).test(value),
  ipv4: isIPv4,
  ipv6: (value) => isIPv6(value) && !value.includes("%"),
  cidr: isCidr,
  mac: matching(/^([0-9a-f]{2}([:-]))([0-9a-f]{2}\2){4}[0-9a-f]{2}$|^([0-9a-f]{4}\.){2}[0-9a-f]{4}$/i),
  uuid: matching(uuid("[0-9a-f]{4}")),
  uuid3: matching(uuid("3[0-9a-f]{3}")),
  uuid4: matching(/^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i),
  uuid5: matching(/^[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i),
  isbn: (value) => isIsbn10(value) || isIsbn13(value),
  isbn10: isIsbn10,
  isbn13: isIsbn13,
  creditcard: (value) =>
    /^(?:4\d{12}(?:\d{3})?|5[1-5]\d{14}|6(?:011|5\d\d)\d{12}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|(?:2131|1800|35\d{3})\d{11})$/.test(
      value.replace(/\D/g, ""),
    ),
  ssn: matching(/^\d{3}[- ]?\d{2}[- ]?\d{4}$/),
  hexcolor: matching(/^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/),
  rgbcolor: (value) => {
    const found = /^rgb\(\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*(\d{1,3})\s*\)$/.exec(value);
    return found?.slice(1).every((part) => Number(part) <= 255) ?? false;
  },
  byte: (value) => value.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(value),
  password: () => true,
  date: (value) => /^\d{4}-\d\d-\d\d$/.test(value) && parseTimestamp(`${value}T00:00:00Z`) !== undefined,
  duration: isDuration,
  datetime: isTimestamp,
  k8sshortname: (value) => value.length <= 63 && shortName.test(value),
  k8slongname: (value) => value.length <= 253 && longName.test(value),
};

function isIsbn10(value: string): boolean {
  const digits = value.replace(/[\s-]/g, "");
  if (!/^\d{9}[\dX]$/.test(digits)) return false;
  const sum = [...digits].reduce(
    (total, digit, at) => total + (digit === "X" ? 10 : Number(digit)) * (10 - at),
    0,
  );
  return sum % 11 === 0;
}

function isIsbn13(value: string): boolean {
  const digits = value.replace(/[\s-]/g, "");
  if (!/^\d{13}$/.test(digits)) return false;
  return (
    [...digits].reduce((total, digit, at) => total + Number(digit) * (at % 2 === 0 ? 1 : 3), 0) % 10 === 0
  );
}

/** True if a string has a format. Kubernetes accepts all strings for an unknown format. */
export function hasFormat(format: string, value: string): boolean {
  const name = format.replaceAll("-", "");
  return !Object.hasOwn(checks, name) || (checks[name]?.(value) ?? true);
}
