import { objectAt } from "@keelson/base";
import type { Findings } from "../../catalogue/findings.ts";
import { configMapKey } from "../../catalogue/names.ts";
import { ageColumn, declared, nameColumn, size } from "../../columns/column.ts";
import type { Kind } from "../kind.ts";
import { maxContentBytes, unlessImmutable } from "./config-data.ts";

/**
 * Built-in kind ConfigMap. Source of its rules: kubernetes pkg/apis/core/v1/defaults.go and
 * pkg/apis/core/validation/validation.go.
 */
export const configMap: Kind = {
  group: "",
  versions: ["v1"],
  kind: "ConfigMap",
  plural: "configmaps",
  shortNames: ["cm"],
  namespaced: true,
  description: "Configuration data for pods as named strings or binary values.",
  fieldDescriptions: {
    binaryData: "Values that need not be UTF-8, base64-encoded; keys must differ from those of data.",
    data: "Texts by key; a key has letters, digits, '-', '_' and '.'.",
    immutable: "When true, data and binaryData can no longer change.",
  },
  strategy: { validate: unlessImmutable(["data", "binaryData"]) },
  columns: [nameColumn, declared("string", size("Data", "data", "binaryData")), ageColumn],
  quota: "named",
  types: {
    checks: {
      "core.v1.ConfigMap": [["", configMapContent]],
    },
    protobuf: `
core.v1.ConfigMap metadata=1 immutable=4* data=2 binaryData=3
`,
  },
};

function configMapContent(object: unknown, findings: Findings): void {
  const binary = objectAt(object, "binaryData");
  let size = 0;
  for (const [key, value] of Object.entries(objectAt(object, "data"))) {
    const why = configMapKey(key);
    if (why) findings.invalid(key, why, "data", `[${key}]`);
    if (Object.hasOwn(binary, key))
      findings.invalid(key, "duplicate of key present in binaryData", "data", `[${key}]`);
    size += String(value).length;
  }
  for (const [key, value] of Object.entries(binary)) {
    const why = configMapKey(key);
    if (why) findings.invalid(key, why, "binaryData", `[${key}]`);
    size += String(value).length * 0.75;
  }
  if (size > maxContentBytes) findings.tooLong(maxContentBytes, "[]");
}
