import { type KubeObject, scalarStringAt } from "@keelson/apimachinery";
import { objectAt } from "@keelson/base";
import { immutable } from "../../catalogue/changes.ts";
import type { Findings } from "../../catalogue/findings.ts";
import { configMapKey } from "../../catalogue/names.ts";
import { ageColumn, declared, nameColumn, size, textOf } from "../../columns/column.ts";
import type { Kind } from "../kind.ts";
import { maxContentBytes, unlessImmutable } from "./config-data.ts";

/** Required data keys by Secret type. */
const secretKeys: Readonly<Record<string, readonly string[]>> = {
  "kubernetes.io/dockercfg": [".dockercfg"],
  "kubernetes.io/dockerconfigjson": [".dockerconfigjson"],
  "kubernetes.io/ssh-auth": ["ssh-privatekey"],
  "kubernetes.io/tls": ["tls.crt", "tls.key"],
};

/**
 * Built-in kind Secret. Source of its rules: kubernetes pkg/apis/core/v1/defaults.go and pkg/apis/core/validation/validation.go.
 */
export const secret: Kind = {
  group: "",
  versions: ["v1"],
  kind: "Secret",
  plural: "secrets",
  namespaced: true,
  description: "Confidential values, base64-encoded on the wire.",
  strategy: { applyDefaults: applySecretDefaults, validate: unlessImmutable(["data"]) },
  columns: [nameColumn, textOf("Type", "type"), declared("string", size("Data", "data")), ageColumn],
  selectableFields: { fields: { type: {} } },
  quota: "named",
  types: {
    defaults: `
core.v1.Secret type="Opaque"
`,
    checks: {
      "core.v1.Secret": [["", secretContent]],
    },
    changes: {
      "core.v1.Secret": immutable("type"),
    },
    protobuf: `
core.v1.Secret metadata=1 immutable=5* data=2 stringData=4 type=3
`,
  },
};

function applySecretDefaults(object: KubeObject): KubeObject {
  const { stringData, ...rest } = object;
  const encoded = Object.entries(objectAt(stringData)).map(
    ([key, text]) => [key, Buffer.from(String(text)).toString("base64")] as const,
  );
  const entries = [...Object.entries(objectAt(object, "data")), ...encoded];
  return {
    ...rest,
    ...(entries.length > 0 ? { data: Object.fromEntries(entries) } : {}),
    type: scalarStringAt(object, "type") || "Opaque",
  };
}

function secretContent(secret: unknown, findings: Findings): void {
  const data = objectAt(secret, "data");
  let size = 0;
  for (const [key, value] of Object.entries(data)) {
    const why = configMapKey(key);
    if (why) findings.invalid(key, why, "data", `[${key}]`);
    size += String(value).length * 0.75;
  }
  if (size > maxContentBytes) findings.tooLong(maxContentBytes, "data");
  const type = scalarStringAt(secret, "type");
  for (const key of secretKeys[type] ?? [])
    if (data[key] === undefined) findings.required("", "data", `[${key}]`);
  const document = {
    "kubernetes.io/dockercfg": ".dockercfg",
    "kubernetes.io/dockerconfigjson": ".dockerconfigjson",
  }[type];
  if (document !== undefined && data[document] !== undefined) {
    const why = jsonFault(Buffer.from(String(data[document]), "base64").toString());
    if (why) findings.invalid("<secret contents redacted>", why, "data", `[${document}]`);
  }
  if (type === "kubernetes.io/basic-auth" && data.username === undefined && data.password === undefined) {
    findings.required("", "data", "[username]");
    findings.required("", "data", "[password]");
  }
  const account = "kubernetes.io/service-account.name";
  if (
    type === "kubernetes.io/service-account-token" &&
    !scalarStringAt(secret, "metadata", "annotations", account)
  )
    findings.required("", "metadata", "annotations", `[${account}]`);
}

/**
 * Returns the first syntax error of a JSON document. Undefined if there is none. For an error at the beginning of the document,
 * the message equals the message of Go's decoder.
 */
function jsonFault(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch {
    const first = text.trimStart().charAt(0);
    if (first === "") return "unexpected end of JSON input";
    if (/[-0-9"[{tfn]/.test(first)) return "invalid JSON";
    return `invalid character '${first}' looking for beginning of value`;
  }
}
