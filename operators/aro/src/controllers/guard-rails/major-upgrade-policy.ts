import type { AdmissionPolicy } from "./admission-policy.ts";

/** Name of the policy in earlier releases. */
export const formerMajorUpgradePolicy = "aro-cluster-version-major-upgrade-protection";

/**
 * Policy regardless of flags, because OpenShift 5 requires more from the service than a cluster upgrade.
 */
export const majorUpgradePolicy: AdmissionPolicy = {
  name: "aro-cluster-version-major-upgrade-deny",
  failurePolicy: "Fail",
  rules: [{ group: "config.openshift.io", resources: ["clusterversions"], operations: ["UPDATE"] }],
  matchConditions: { "cluster-version": 'object.metadata.name == "version"' },
  expression: [
    '!oldObject.?status.?desired.?version.orValue("").startsWith("4.")',
    [
      '!object.?spec.?desiredUpdate.?version.orValue("").startsWith("5.")',
      // Channels are named by major and minor version, or by the major version alone.
      '!object.?spec.?channel.orValue("").matches("-5([.]|$)")',
      // The version of an image is unknown here. The cluster version operator rejects an image of a different
      // version.
      '(object.?spec.?desiredUpdate.?version.orValue("") != "" || object.?spec.?desiredUpdate.?image.orValue("") == oldObject.?spec.?desiredUpdate.?image.orValue("") || object.?spec.?desiredUpdate.?image.orValue("") == "")',
    ].join(" && "),
  ].join(" || "),
  message: "Upgrading from OpenShift 4 to OpenShift 5 is not allowed",
};
