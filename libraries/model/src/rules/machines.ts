import { compareVersions, parseVersion } from "../cluster/openshift-version.ts";
import { findVmSize, type VmRole } from "../cluster/vm-sizes.ts";
import type { ProposedWorker } from "./proposed-cluster.ts";
import { diskEncryptionSetPattern, isInSubscription, subnetPattern } from "./resource-id-pattern.ts";
import {
  type Examined,
  enumeration,
  invalid,
  numberRule,
  type Rule,
  rule,
  textRule,
  type Violation,
} from "./rule.ts";

const master = "properties.masterProfile";
const workers = "properties.workerProfiles";
const worker = `${workers}[]`;
const encryptionMessage = (value: string) => `The provided value '${value}' is invalid.`;

export const masterRules: readonly Rule[] = [
  textRule(`${master}.vmSize`, (size, target, examined) => checkSize(size, "master", target, examined)),
  textRule(`${master}.subnetId`, (id, target, { subscriptionId }) => {
    const subject = `The provided master VM subnet '${id}' is invalid`;
    if (!subnetPattern.test(id)) return invalid(target, `${subject}.`);
    if (isInSubscription(id, subscriptionId)) return undefined;
    return invalid(target, `${subject}: must be in same subscription as cluster.`);
  }),
  enumeration(`${master}.encryptionAtHost`, encryptionMessage),
  textRule(`${master}.diskEncryptionSetId`, (id, target, { subscriptionId }) => {
    if (id === "") return undefined;
    const subject = `The provided master disk encryption set '${id}' is invalid`;
    if (!diskEncryptionSetPattern.test(id)) return invalid(target, `${subject}.`);
    if (isInSubscription(id, subscriptionId)) return undefined;
    return invalid(target, `${subject}: must be in same subscription as cluster.`);
  }),
];

/** Limits the number of workers in versions that can change this number. */
export const workerCountRule: Rule = numberRule(`${worker}.count`, (count, target) =>
  count >= 2 && count <= 50 ? undefined : invalid(target, `The provided worker count '${count}' is invalid.`),
);

export const workerRules: readonly Rule[] = [
  rule(workers, function* ({ cluster }) {
    if (cluster.properties.workerProfiles?.length === 1) return;
    yield invalid(workers, "There should be exactly one worker profile.");
  }),
  textRule(`${worker}.name`, (name, target) =>
    name === "worker" ? undefined : invalid(target, `The provided worker name '${name}' is invalid.`),
  ),
  textRule(`${worker}.vmSize`, (size, target, examined) => checkSize(size, "worker", target, examined)),
  numberRule(`${worker}.diskSizeGB`, (size, target) =>
    size >= 128 ? undefined : invalid(target, `The provided worker disk size '${size}' is invalid.`),
  ),
  textRule(`${worker}.subnetId`, (id, target) =>
    subnetPattern.test(id) ? undefined : invalid(target, `The provided worker VM subnet '${id}' is invalid.`),
  ),
  enumeration(`${worker}.encryptionAtHost`, encryptionMessage),
  textRule(`${worker}.subnetId`, (id, target, { cluster }) => {
    const { subnetId = "" } = cluster.properties.masterProfile;
    if (!subnetPattern.test(id) || !subnetPattern.test(subnetId)) return undefined; // already reported
    const subject = `The provided worker VM subnet '${id}' is invalid`;
    if (vnetOf(id) !== vnetOf(subnetId)) {
      return invalid(target, `${subject}: must be in the same vnet as master VM subnet '${subnetId}'.`);
    }
    if (id.toLowerCase() !== subnetId.toLowerCase()) return undefined;
    return invalid(target, `${subject}: must be different to master VM subnet '${subnetId}'.`);
  }),
  workerCountRule,
  rule(`${worker}.diskEncryptionSetId`, function* ({ cluster }) {
    const { diskEncryptionSetId = "" } = cluster.properties.masterProfile;
    if (diskEncryptionSetId !== "" && !diskEncryptionSetPattern.test(diskEncryptionSetId)) return; // already reported
    for (const profile of cluster.properties.workerProfiles ?? []) {
      yield* checkDiskEncryption(profile, diskEncryptionSetId);
    }
  }),
];

export const workerStatusRule: Rule = rule("properties.workerProfilesStatus", function* ({ cluster }) {
  if ((cluster.properties.workerProfilesStatus ?? []).length === 0) return;
  yield invalid("properties.workerProfilesStatus", "Worker Profile Status must be set to nil.");
});

function checkSize(size: string, role: VmRole, target: string, examined: Examined): Violation | undefined {
  const known = findVmSize(size);
  const small = known?.developmentOnly === true;
  const wanted = role === "master" || !examined.requireD2sWorkers ? !small : small;
  if (!known || !wanted || !known.roles.includes(role)) {
    return invalid(target, `The provided VM size '${size}' is invalid for the '${role}' role.`);
  }
  const minimum = parseVersion(known.minimumVersion ?? "");
  const chosen = parseVersion(examined.cluster.properties.clusterProfile.version ?? "");
  // A version that cannot be parsed is accepted, because the service validated it at creation or the cluster reported it.
  if (!minimum || !chosen || compareVersions(chosen, minimum) >= 0) return undefined;
  return invalid(
    target,
    `The provided ${role} VM size '${size}' is invalid for the chosen OpenShift version.`,
  );
}

/**
 * Checks that masters and workers have the same disk encryption set. The error has the same `target` as in the reference service.
 */
function* checkDiskEncryption(
  { name = "", diskEncryptionSetId = "" }: ProposedWorker,
  masterSet: string,
): Iterable<Violation> {
  if (diskEncryptionSetId.toLowerCase() === masterSet.toLowerCase()) return;
  yield invalid(
    `${workers}['${name}'].subnetId`,
    `The provided worker disk encryption set '${diskEncryptionSetId}' is invalid: must be the same as master disk encryption set '${masterSet}'.`,
  );
}

function vnetOf(subnetId: string): string {
  return subnetId.toLowerCase().replace(/\/subnets\/[^/]*$/, "");
}
