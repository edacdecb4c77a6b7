import { formatQuantity, parseQuantity, resourceListAt, scalarStringAt } from "@keelson/apimachinery";
import { listAt, objectAt, valueAt } from "@keelson/base";
import { port, unique } from "../checks.ts";
import type { Findings } from "../findings.ts";
import { containerResources } from "../pod-resources.ts";
import type { Check, Fields } from "../type-facts.ts";

/** Validates that volume mounts reference volumes of the pod. `added` lists additional valid names. */
export function checkMounts(
  spec: unknown,
  findings: Findings,
  added: readonly string[],
  ...path: string[]
): void {
  const volumes = new Set([
    ...listAt(spec, "volumes").map((volume) => scalarStringAt(volume, "name")),
    ...added,
  ]);
  for (const list of ["containers", "initContainers", "ephemeralContainers"]) {
    for (const [at, container] of listAt(spec, list).entries()) {
      for (const kind of ["volumeMounts", "volumeDevices"]) {
        for (const [index, mount] of listAt(container, kind).entries()) {
          const name = scalarStringAt(mount, "name");
          if (name !== "" && !volumes.has(name))
            findings.notFound(name, ...path, list, at, kind, index, "name");
        }
      }
    }
  }
}

export function onlyOneSubPath(mount: unknown, findings: Findings): void {
  const expression = scalarStringAt(mount, "subPathExpr");
  if (expression !== "" && scalarStringAt(mount, "subPath") !== "")
    findings.invalid(expression, "subPathExpr and subPath are mutually exclusive", "subPathExpr");
}

export function withServiceAccountAlias(spec: Fields): Fields {
  const name = scalarStringAt(spec, "serviceAccountName") || scalarStringAt(spec, "serviceAccount");
  if (name === "" || (spec.serviceAccountName === name && spec.serviceAccount === name)) return spec;
  return { ...spec, serviceAccountName: name, serviceAccount: name };
}

export function withPullPolicy(container: Fields): Fields {
  if (container.imagePullPolicy) return container;
  return { ...container, imagePullPolicy: pullPolicyOf(scalarStringAt(container, "image")) };
}

/**
 * Returns the default pull policy of an image. An image without a tag or with the tag `latest` may change, so it is always
 * pulled.
 */
export function pullPolicyOf(image: string): string {
  const name = image.slice(image.lastIndexOf("/") + 1);
  const digest = name.includes("@");
  const [, tag] = (name.split("@")[0] ?? "").split(":");
  return tag === "latest" || (tag === undefined && !digest) ? "Always" : "IfNotPresent";
}

export function withVolumeSource(volume: Fields): Fields {
  for (const member in volume) if (member !== "name" && volume[member] !== undefined) return volume;
  return { ...volume, emptyDir: {} };
}

export function oneVolumeSource(volume: unknown, findings: Findings): void {
  const [, ...others] = Object.keys(objectAt(volume)).filter((member) => member !== "name");
  for (const other of others) findings.forbidden("may not specify more than 1 volume type", other);
}

export function uniquePortNames(value: unknown, findings: Findings): void {
  unique("name")(value, findings);
}

export function uniqueMountPaths(value: unknown, findings: Findings): void {
  if (!Array.isArray(value) || value.length < 2) return;
  const seen = new Set<string>();
  for (const [at, mount] of value.entries()) {
    const path = scalarStringAt(mount, "mountPath");
    if (seen.has(path)) findings.invalid(path, "must be unique", at, "mountPath");
    seen.add(path);
  }
}

/** Requires names that are unique across container types. `unique` checks names within one type. */
export function uniqueContainerNames(spec: unknown, findings: Findings): void {
  const others = ["initContainers", "ephemeralContainers"].filter(
    (list) => valueAt(spec, list) !== undefined,
  );
  if (others.length === 0) return;
  const names = new Set(listAt(spec, "containers").map((each) => scalarStringAt(each, "name")));
  for (const list of others) {
    for (const [at, container] of listAt(spec, list).entries()) {
      const name = scalarStringAt(container, "name");
      if (name !== "" && names.has(name)) findings.duplicate(name, list, at, "name");
    }
    for (const container of listAt(spec, list)) names.add(scalarStringAt(container, "name"));
  }
}

export function requiredPort(value: unknown, findings: Findings): void {
  if (value === undefined) findings.required();
}

export function requiredZero(value: unknown, findings: Findings): void {
  if (value === undefined) port(0, findings);
}

export function unlessZero(check: Check): Check {
  return (value, findings) => {
    if (value !== 0) check(value, findings);
  };
}

export function weight(value: unknown, findings: Findings): void {
  const given = typeof value === "number" ? value : 0;
  if (given < 1 || given > 100) findings.invalid(given, "must be in the range 1-100");
}

export function requiredBecauseEmpty(why: string): Check {
  return (value, findings) => {
    if (value === undefined || value === "" || (Array.isArray(value) && value.length === 0))
      findings.required(why);
  };
}

export function onlyOneValue(variable: unknown, findings: Findings): void {
  if (scalarStringAt(variable, "value") !== "" && valueAt(variable, "valueFrom") !== undefined)
    findings.invalid("", "may not be specified when `value` is not empty", "valueFrom");
}

export function onlyOneSource(source: unknown, findings: Findings): void {
  const found = Object.values(objectAt(source)).length;
  if (found === 0)
    findings.invalid(
      "",
      "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`",
    );
  if (found > 1) findings.invalid("", "may not have more than one field specified at a time");
}

export function oneHandler(why: string, handlers: readonly string[]): Check {
  return (value, findings) => {
    const [first, ...others] = handlers.filter((handler) => valueAt(value, handler) !== undefined);
    if (first === undefined) findings.required(why);
    for (const other of others) findings.forbidden("may not specify more than 1 handler type", other);
  };
}

export function succeedsOnce(probe: unknown, findings: Findings): void {
  const threshold = valueAt(probe, "successThreshold");
  if (threshold !== undefined && threshold !== 1)
    findings.invalid(threshold, "must be 1", "successThreshold");
}

export function requestsWithinLimits(requirements: unknown, findings: Findings): void {
  const limits = valueAt(requirements, "limits");
  const requests = valueAt(requirements, "requests");
  if (limits === undefined || requests === undefined) return;
  for (const [name, request] of Object.entries(objectAt(requests))) {
    const limit = scalarStringAt(limits, name);
    if (limit !== "" && isMore(String(request), limit))
      findings.invalid(request, `must be less than or equal to ${name} limit of ${limit}`, "requests");
  }
}

export function asksForItsContainers(spec: unknown, findings: Findings): void {
  const own = resourceListAt(spec, "resources", "requests");
  if (own.size === 0) return;
  const needed = containerResources(spec, "requests");
  for (const [name, quantity] of own) {
    const sum = needed.get(name);
    if (!sum || sum.nano <= quantity.nano) continue;
    const why = `must be greater than or equal to aggregate container requests of ${formatQuantity(sum)}`;
    findings.invalid(formatQuantity(quantity), why, "resources", "requests", `[${name}]`);
  }
}

function isMore(one: string, other: string): boolean {
  const [a, b] = [parseQuantity(one), parseQuantity(other)];
  return a !== undefined && b !== undefined && a.nano > b.nano;
}

export function validToleration(toleration: unknown, findings: Findings): void {
  const [operator, key] = [scalarStringAt(toleration, "operator"), scalarStringAt(toleration, "key")];
  if (key === "" && operator !== "Exists")
    findings.invalid(
      operator,
      'operator must be Exists when `key` is empty, which means "match all values and all keys"',
      "operator",
    );
  if (operator === "Exists" && scalarStringAt(toleration, "value") !== "")
    findings.invalid(toleration, "value must be empty when `operator` is 'Exists'", "operator");
  if (!["", "Equal", "Exists"].includes(operator))
    findings.notSupported(operator, ["Equal", "Exists"], "operator");
  if (
    valueAt(toleration, "tolerationSeconds") !== undefined &&
    scalarStringAt(toleration, "effect") !== "NoExecute"
  )
    findings.invalid(
      scalarStringAt(toleration, "effect"),
      "effect must be 'NoExecute' when `tolerationSeconds` is set",
      "effect",
    );
}
