import type { AdmissionPolicy } from "./admission-policy.ts";

/** Name of the policy in earlier releases. */
export const formerMajorUpgradePolicy = "aro-cluster-version-major-upgrade-protection";

/**
 * Policy that rejects upgrades to OpenShift 5, independent of flags. Such an upgrade requires changes by the service in addition
 * to the new cluster version.
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
      // Channel names end with a major and minor version, or with only a major version.
      '!object.?spec.?channel.orValue("").matches("-5([.]|$)")',
      // The policy cannot determine the version of an image from its reference. It therefore relies on the given version. If the
      // image contains a different version, the cluster version operator rejects the image.
      '(object.?spec.?desiredUpdate.?version.orValue("") != "" || object.?spec.?desiredUpdate.?image.orValue("") == oldObject.?spec.?desiredUpdate.?image.orValue("") || object.?spec.?desiredUpdate.?image.orValue("") == "")',
    ].join(" && "),
  ].join(" || "),
  message: "Upgrading from OpenShift 4 to OpenShift 5 is not allowed",
};
