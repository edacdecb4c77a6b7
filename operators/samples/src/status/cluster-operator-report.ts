import type { Condition } from "@keelson/controller";
import type { ClusterOperatorReport, RelatedObject } from "@keelson/operator-kit";
import type { ConfigConditions } from "../config/config-conditions.ts";
import type { ManagementState } from "../config/samples-settings.ts";
import { contentNamespace, operatorNamespace } from "../resources/resources.ts";

/** State of the samples from which the report is created. */
export interface ReportedSamples {
  /** Release version of the program. */
  readonly release: string;
  /** Version that was last applied completely. Empty before a version has been applied completely. */
  readonly version: string;
  readonly managementState: ManagementState;
  readonly conditions: ConfigConditions;
  readonly failingImports: readonly string[];
  readonly lastImport: Date;
}

/** Related objects for must-gather. The ClusterOperator manifest contains them even before the operator first starts. */
const relatedObjects: readonly RelatedObject[] = [
  { group: "samples.operator.openshift.io", resource: "configs", name: "cluster" },
  { group: "", resource: "namespaces", name: operatorNamespace },
  { group: "template.openshift.io", resource: "templates", name: "", namespace: contentNamespace },
  { group: "image.openshift.io", resource: "imagestreams", name: "", namespace: contentNamespace },
];

/** Report while the Config and its samples are being deleted. */
export const deletionReport: ClusterOperatorReport = {
  ...allOf("DeletionInProgress", { Available: "True", Progressing: "True", Degraded: "False" }),
  relatedObjects,
};

/**
 * Returns the report for an architecture without samples. Some reasons in this file are misspelled, because clients expect the
 * reasons of OpenShift's Go operator.
 */
export function unsupportedReport(version: string): ClusterOperatorReport {
  return { ...allOf("UnsupportHWArchitecture", idle), ...rest(version) };
}

/**
 * Returns the report for samples that were not installed, because the registry was unreachable when the operator first started.
 */
export function unreachableReport(version: string): ClusterOperatorReport {
  return { ...allOf("TermsBasedRegistryUnreacahable", idle), ...rest(version) };
}

/** Returns the ClusterOperator report for a Config's conditions. */
export function clusterOperatorReport(samples: ReportedSamples): ClusterOperatorReport {
  return {
    conditions: [degraded(samples), progressing(samples), available(samples)],
    ...rest(samples.version),
  };
}

const idle = { Available: "True", Progressing: "False", Degraded: "False" } as const;

function allOf(
  reason: string,
  states: Readonly<Record<string, "True" | "False">>,
): { readonly conditions: readonly Condition[] } {
  return {
    conditions: Object.entries(states).map(([type, status]) => ({ type, status, reason, message: "" })),
  };
}

function rest(version: string): Omit<ClusterOperatorReport, "conditions"> {
  return { ...(version === "" ? {} : { versions: [{ name: "operator", version }] }), relatedObjects };
}

/** Returns the reason and message for the states Removed and Unmanaged. */
function currently({
  managementState,
  version,
}: ReportedSamples): { reason: string; message: string } | undefined {
  if (managementState === "Managed") return undefined;
  return {
    reason: `Currently${managementState}`,
    message: `Samples installation was previously successful at ${version} but the samples operator is now ${managementState}`,
  };
}

function degraded(samples: ReportedSamples): Condition {
  const type = "Degraded";
  const state = currently(samples);
  if (state) return { type, status: "False", ...state };
  const { conditions, release } = samples;
  const valid = conditions.ConfigurationValid;
  if (valid.status === "False" && valid.message)
    return {
      type,
      status: "True",
      reason: "InvalidConfiguration",
      message: `Samples installation in error at ${release}: ${valid.message}`,
    };
  const unknown = Object.values(conditions).find(({ status }) => status === "Unknown");
  if (!unknown) return { type, status: "False", reason: "", message: "" };
  const messages = Object.values(conditions).flatMap(({ message }) => (message ? [`${message};`] : []));
  return { type, status: "True", reason: unknown.reason ?? "", message: messages.join("") };
}

function available(samples: ReportedSamples): Condition {
  const type = "Available";
  const state = currently(samples);
  if (state) return { type, status: "True", ...state };
  const { SamplesExist } = samples.conditions;
  if (SamplesExist.status !== "True")
    return {
      type,
      status: "False",
      reason: "SampleUpsertsPending",
      message: SamplesExist.message ?? "",
    };
  return { type, status: "True", reason: "", message: successful(samples) };
}

function progressing(samples: ReportedSamples): Condition {
  const type = "Progressing";
  const state = currently(samples);
  if (state) return { type, status: "False", ...state };
  const { conditions, release, failingImports, lastImport } = samples;
  const failure = degraded(samples).reason;
  if (failure)
    return {
      type,
      status: "True",
      reason: "",
      message: `Samples installation in error at ${release}: ${failure}`,
    };
  if (conditions.RemovePending.status === "True")
    return { type, status: "True", reason: "", message: `Deleting samples at ${release}` };
  if (available(samples).status !== "True") return { type, status: "False", reason: "", message: "" };
  if (conditions.ImportImageErrorsExist.status !== "True")
    return { type, status: "False", reason: "", message: successful(samples) };
  const time = `${lastImport.toISOString().slice(0, 19).replace("T", " ")} +0000 UTC`;
  return {
    type,
    status: "False",
    reason: "FailedImageImports",
    message: `Samples installed at ${samples.version || release}, with image import failures for these imagestreams: ${failingImports.join(",")}; last import attempt ${time}`,
  };
}

function successful({ version, release }: ReportedSamples): string {
  return `Samples installation successful at ${version || release}`;
}
