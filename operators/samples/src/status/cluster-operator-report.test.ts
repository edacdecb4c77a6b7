import assert from "node:assert/strict";
import { test } from "node:test";
import type { ConfigCondition, ConfigConditions } from "../config/config-conditions.ts";
import {
  clusterOperatorReport,
  deletionReport,
  type ReportedSamples,
  unreachableReport,
  unsupportedReport,
} from "./cluster-operator-report.ts";

const no: ConfigCondition = { status: "False" };
const installed: ConfigConditions = {
  SamplesExist: { status: "True" },
  ImageChangesInProgress: no,
  ImportCredentialsExist: { status: "True" },
  ConfigurationValid: { status: "True" },
  RemovePending: no,
  MigrationInProgress: no,
  ImportImageErrorsExist: no,
};
const samples: ReportedSamples = {
  release: "4.19.2",
  version: "4.19.1",
  managementState: "Managed",
  conditions: installed,
  failingImports: [],
  lastImport: new Date("2026-01-02T03:04:05Z"),
};
const successful = "Samples installation successful at 4.19.1";
const previously = (state: string) =>
  `Samples installation was previously successful at 4.19.1 but the samples operator is now ${state}`;
const invalid = { status: "False", reason: "X", message: "cannot" } as const;
const unknown = {
  status: "Unknown",
  reason: "FileSystemError",
  message: "error reading in content",
} as const;

/** Input, and the expected conditions Available, Progressing and Degraded as `status reason: message`. */
const rows: Readonly<
  Record<
    string,
    readonly [
      Partial<Omit<ReportedSamples, "conditions">> & { conditions?: Partial<ConfigConditions> },
      readonly [string, string, string],
    ]
  >
> = {
  installed: [{}, [`True : ${successful}`, `False : ${successful}`, "False : "]],
  "installed for the first time": [
    { version: "" },
    [
      "True : Samples installation successful at 4.19.2",
      "False : Samples installation successful at 4.19.2",
      "False : ",
    ],
  ],
  "not installed yet": [
    { conditions: { SamplesExist: no } },
    ["False SampleUpsertsPending: ", "False : ", "False : "],
  ],
  "not installed, and why": [
    { conditions: { SamplesExist: { status: "False", message: "the server is busy" } } },
    ["False SampleUpsertsPending: the server is busy", "False : ", "False : "],
  ],
  "imports fail": [
    { conditions: { ImportImageErrorsExist: { status: "True" } }, failingImports: ["nodejs", "ruby"] },
    [
      `True : ${successful}`,
      "False FailedImageImports: Samples installed at 4.19.1, with image import failures for these imagestreams: nodejs,ruby; last import attempt 2026-01-02 03:04:05 +0000 UTC",
      "False : ",
    ],
  ],
  "the configuration is invalid": [
    { conditions: { ConfigurationValid: invalid } },
    [
      `True : ${successful}`,
      "True : Samples installation in error at 4.19.2: InvalidConfiguration",
      "True InvalidConfiguration: Samples installation in error at 4.19.2: cannot",
    ],
  ],
  "content cannot be read": [
    { conditions: { SamplesExist: unknown } },
    [
      "False SampleUpsertsPending: error reading in content",
      "True : Samples installation in error at 4.19.2: FileSystemError",
      "True FileSystemError: error reading in content;",
    ],
  ],
  "they are being removed": [
    { conditions: { RemovePending: { status: "True" } } },
    [`True : ${successful}`, "True : Deleting samples at 4.19.2", "False : "],
  ],
  Removed: [
    { managementState: "Removed", conditions: { SamplesExist: no } },
    [
      `True CurrentlyRemoved: ${previously("Removed")}`,
      `False CurrentlyRemoved: ${previously("Removed")}`,
      `False CurrentlyRemoved: ${previously("Removed")}`,
    ],
  ],
  "Unmanaged, with an invalid configuration": [
    { managementState: "Unmanaged", conditions: { ConfigurationValid: invalid } },
    [
      `True CurrentlyUnmanaged: ${previously("Unmanaged")}`,
      `False CurrentlyUnmanaged: ${previously("Unmanaged")}`,
      `False CurrentlyUnmanaged: ${previously("Unmanaged")}`,
    ],
  ],
};

const texts = ({ conditions = [] }: ReturnType<typeof clusterOperatorReport>) =>
  ["Available", "Progressing", "Degraded"].map((type) => {
    const { status, reason, message } = conditions.find((each) => each.type === type) ?? {};
    return `${status} ${reason}: ${message}`;
  });

for (const [what, [given, expected]] of Object.entries(rows))
  test(what, () => {
    const conditions = { ...installed, ...given.conditions };
    assert.deepEqual(texts(clusterOperatorReport({ ...samples, ...given, conditions })), expected);
  });

test("deletion, other architectures and an unreachable registry have a reason for all three", () => {
  const of = (reason: string) => [`True ${reason}: `, `False ${reason}: `, `False ${reason}: `];
  assert.deepEqual(texts(unsupportedReport("")), of("UnsupportHWArchitecture"));
  assert.deepEqual(texts(unreachableReport("")), of("TermsBasedRegistryUnreacahable"));
  const [available, progressing, degraded] = texts(deletionReport);
  assert.deepEqual(
    [available, progressing, degraded],
    ["True DeletionInProgress: ", "True DeletionInProgress: ", "False DeletionInProgress: "],
  );
});

test("the version is reported as soon as it exists", () => {
  assert.deepEqual(clusterOperatorReport(samples).versions, [{ name: "operator", version: "4.19.1" }]);
  assert.equal(clusterOperatorReport({ ...samples, version: "" }).versions, undefined);
});
