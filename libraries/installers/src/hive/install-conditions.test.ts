import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock } from "@keelson/base/testing";
import { ConditionWatch } from "./install-conditions.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

function deployment(...conditions: readonly (readonly [type: string, status: string, reason: string])[]) {
  return {
    apiVersion: "hive.openshift.io/v1",
    kind: "ClusterDeployment",
    metadata: { name: "cluster" },
    status: {
      conditions: conditions.map(([type, status, reason]) => ({ type, status, reason, message: "m" })),
    },
  };
}

/**
 * Returns the number of minutes after which the condition fails the installation, with the progress text and the failure reason.
 * 0 means immediately. Undefined means that the installation has not failed after an hour.
 */
async function failsAfter(type: string, status: string, reason: string) {
  const clock = new ManualClock();
  const watch = new ConditionWatch(clock);
  const activity = watch.observe(deployment([type, status, reason])).activity;
  for (let minutes = 0; minutes <= 60; minutes += 1) {
    const { failure } = watch.observe(deployment([type, status, reason]));
    if (failure) return { minutes, activity, reason: failure.reason };
    await clock.advance(minuteMs);
  }
  return { minutes: undefined, activity, reason: undefined };
}

const terminal = 0;
const never = undefined;
const silent = undefined;
const dns = "Hive waits for the DNS zone";
const images = "Hive resolves the images of the release";
const pod = "Hive waits for the pod of the installer";
const secrets = "Hive waits for the Secrets aro-installconfig and aro-pullsecret";

for (const [type, status, reason, minutes, activity] of [
  ["RequirementsMet", "False", "InstallConfigValidationFailed", terminal, silent],
  ["RequirementsMet", "False", "InstallConfigRefNotSet", terminal, silent],
  ["RequirementsMet", "False", "ClusterImageSetNotFound", never, "Hive waits for a ClusterImageSet"],
  [
    "RequirementsMet",
    "False",
    "CustomizationRefNotAvailable",
    never,
    "Hive waits for a ClusterDeploymentCustomization",
  ],
  ["RequirementsMet", "False", "Other", never, "Hive waits for the requirements of the install"],
  ["RequirementsMet", "Unknown", "Initialized", 10, secrets],
  ["RequirementsMet", "True", "AllRequirementsMet", never, silent],
  ["AuthenticationFailure", "False", "PlatformAuthSuccess", never, silent],
  ["InstallImagesNotResolved", "True", "MinimalInstallModeWithoutImageOverride", terminal, silent],
  ["InstallImagesNotResolved", "True", "ReleaseImageVerificationFailed", terminal, silent],
  ["InstallImagesNotResolved", "True", "JobToResolveImagesFailed", 15, images],
  ["InstallerImageResolutionFailed", "True", "InstallerImageResolutionFailed", 15, images],
  ["InstallImagesNotResolved", "False", "ImagesResolved", never, silent],
  ["DNSNotReady", "True", "DNSNotReady", 10, dns],
  ["DNSNotReady", "True", "DNSNotReadyTimedOut", terminal, silent],
  ["DNSNotReady", "True", "InsufficientCredentials", terminal, silent],
  ["DNSNotReady", "True", "AuthenticationFailure", terminal, silent],
  ["DNSNotReady", "True", "APIOptInRequiredForDNS", terminal, silent],
  ["DNSNotReady", "True", "DNSZoneResourceConflict", terminal, silent],
  ["DNSNotReady", "True", "CloudError", never, dns],
  ["DNSNotReady", "Unknown", "Initialized", never, silent],
  ["InstallLaunchError", "True", "PodInPendingPhase", 15, pod],
  ["InstallLaunchError", "True", "InstallPodMissing", 15, pod],
  ["InstallLaunchError", "False", "InstallLaunchSuccessful", never, silent],
  ["ProvisionFailed", "True", "UnknownError", terminal, silent],
  ["ProvisionFailed", "True", "AttemptDeadlineExceeded", terminal, silent],
  ["ProvisionFailed", "False", "ProvisionSucceeded", never, silent],
  ["ProvisionStopped", "True", "InstallAttemptsLimitReached", terminal, silent],
  ["ProvisionStopped", "True", "FailureReasonNotRetryable", terminal, silent],
  ["ProvisionStopped", "True", "DNSZoneFailedToReconcile", terminal, silent],
  ["ProvisionStopped", "False", "ProvisionNotStopped", never, silent],
  ["Provisioned", "False", "Provisioning", never, silent],
  ["Provisioned", "False", "ProvisionStopped", terminal, silent],
  ["Provisioned", "False", "Deprovisioning", terminal, silent],
  ["Provisioned", "True", "Provisioned", never, silent],
  ["SyncSetFailed", "True", "MissingClusterSync", never, silent],
  ["Unreachable", "True", "ErrorConnectingToCluster", never, silent],
  ["ControlPlaneCertificateNotFound", "True", "ControlPlaneCertificatesNotFound", never, silent],
  ["Hibernating", "Unknown", "Initialized", never, silent],
] as const) {
  const outcome = minutes === never ? "is no failure" : `fails the install after ${minutes} minutes`;
  test(`${type}=${status} ${reason} ${outcome}`, async () => {
    const expected = { minutes, activity, reason: minutes === never ? undefined : reason };
    assert.deepEqual(await failsAfter(type, status, reason), expected);
  });
}

test("the cause of a stopped install is that of ProvisionFailed, in any order", () => {
  const stopped = ["ProvisionStopped", "True", "InstallAttemptsLimitReached"] as const;
  const failed = ["ProvisionFailed", "True", "AzureZonalAllocationFailed"] as const;
  const waiting = ["RequirementsMet", "Unknown", "Initialized"] as const;
  for (const conditions of [
    [stopped, failed, waiting],
    [waiting, failed, stopped],
  ]) {
    const { failure } = new ConditionWatch(new ManualClock()).observe(deployment(...conditions));
    assert.deepEqual(failure, { reason: "AzureZonalAllocationFailed", message: "m" });
  }
});

test("a limit names the wait, and lateness of the process does not count", async () => {
  const clock = new ManualClock();
  const watch = new ConditionWatch(clock);
  const waiting = deployment(["RequirementsMet", "Unknown", "Initialized"]);
  watch.observe(waiting);
  clock.stall(hourMs);
  assert.equal(watch.observe(waiting).failure, undefined);
  await clock.advance(10 * minuteMs);
  assert.equal(watch.observe(waiting).failure?.message, `${secrets}, for 10 minutes. m`);
});

test("a condition that resolved and returned has the complete limit again", async () => {
  const clock = new ManualClock();
  const watch = new ConditionWatch(clock);
  const waiting = deployment(["RequirementsMet", "Unknown", "Initialized"]);
  watch.observe(waiting);
  await clock.advance(9 * minuteMs);
  watch.observe(deployment(["RequirementsMet", "True", "AllRequirementsMet"]));
  watch.observe(waiting);
  await clock.advance(9 * minuteMs);
  assert.equal(watch.observe(waiting).failure, undefined);
});
