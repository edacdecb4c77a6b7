import { scalarStringAt } from "@keelson/apimachinery";
import { valueAt } from "@keelson/base";
import { immutable } from "../../catalogue/changes.ts";
import { oneOf } from "../../catalogue/checks.ts";
import type { Findings } from "../../catalogue/findings.ts";
import { ageColumn, count, nameColumn, textOf } from "../../columns/column.ts";
import type { Kind } from "../kind.ts";

/** Values of the priority classes that the server creates, by name. */
const systemPriorities: Readonly<Record<string, number>> = {
  "system-cluster-critical": 2_000_000_000,
  "system-node-critical": 2_000_001_000,
};
const highestUserPriority = 1_000_000_000;

/**
 * Built-in kind PriorityClass. Source of its rules: kubernetes pkg/apis/scheduling/v1/defaults.go and
 * pkg/apis/scheduling/validation/validation.go.
 */
export const priorityClass: Kind = {
  group: "scheduling.k8s.io",
  versions: ["v1"],
  kind: "PriorityClass",
  plural: "priorityclasses",
  shortNames: ["pc"],
  namespaced: false,
  strategy: { generation: { ignoresUpdates: true } },
  columns: [
    nameColumn,
    count("Value", "value"),
    {
      name: "Global-Default",
      type: "boolean",
      priority: 0,
      cell: (object) => valueAt(object, "globalDefault") === true,
    },
    ageColumn,
    textOf("PreemptionPolicy", "preemptionPolicy", "<unset>"),
  ],
  types: {
    defaults: `
scheduling.v1.PriorityClass preemptionPolicy="PreemptLowerPriority" value=0
`,
    checks: {
      "scheduling.v1.PriorityClass": [
        ["", userPriority],
        ["preemptionPolicy", oneOf("PreemptLowerPriority", "Never")],
      ],
    },
    changes: {
      "scheduling.v1.PriorityClass": (priority, current, findings) => {
        if (valueAt(priority, "value") !== valueAt(current, "value"))
          findings.forbidden("may not be changed in an update.", "value");
        immutable("preemptionPolicy")(priority, current, findings);
      },
    },
    protobuf: `
scheduling.v1.PriorityClass metadata=1 value=2* globalDefault=3 description=4 preemptionPolicy=5
`,
    enums: `
scheduling.v1.PriorityClass.preemptionPolicy Never|PreemptLowerPriority
`,
  },
};

function userPriority(priority: unknown, findings: Findings): void {
  const value = valueAt(priority, "value");
  const name = scalarStringAt(priority, "metadata", "name");
  if (name.startsWith("system-")) {
    const known = Object.hasOwn(systemPriorities, name) ? systemPriorities[name] : undefined;
    if (value === known) return;
    const error =
      known === undefined
        ? `${name} is not a known system priority class`
        : `value of ${name} PriorityClass must be ${known}`;
    const reserved = "priority class names with 'system-' prefix are reserved for system use only. error: ";
    findings.forbidden(reserved + error, "metadata", "name");
  } else if (typeof value === "number" && value > highestUserPriority)
    findings.forbidden(`maximum allowed value of a user defined priority is ${highestUserPriority}`, "value");
}
