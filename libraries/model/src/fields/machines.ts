import { type Field, integer, list, object, text } from "./field.ts";

const diskEncryption = { since: "2021-09-01-preview" };
const diskEncryptionSet = { ...diskEncryption, ignoreCase: true };
const encryptionAtHost = { ...diskEncryption, storedDefault: "Disabled", values: ["Enabled", "Disabled"] };
const status = "2023-09-04";

/** Fields for machines. `workerProfilesStatus` contains the existing machines, all other fields the requested machines. */
export const machineFields: readonly Field[] = [
  object("properties.masterProfile", "always"),
  text("properties.masterProfile.vmSize"),
  text("properties.masterProfile.subnetId", { ignoreCase: true }),
  text("properties.masterProfile.encryptionAtHost", encryptionAtHost),
  text("properties.masterProfile.diskEncryptionSetId", diskEncryptionSet),
  list("properties.workerProfiles"),
  ...workerFields("properties.workerProfiles[]"),
  list("properties.workerProfilesStatus", {
    since: status,
    readOnly: { since: status, sent: "refused" },
  }),
  ...workerFields("properties.workerProfilesStatus[]").map((field) => ({ ...field, since: status })),
];

function workerFields(worker: string): Field[] {
  return [
    text(`${worker}.name`),
    text(`${worker}.vmSize`),
    integer(`${worker}.diskSizeGB`),
    text(`${worker}.subnetId`, { ignoreCase: true }),
    integer(`${worker}.count`),
    text(`${worker}.encryptionAtHost`, encryptionAtHost),
    text(`${worker}.diskEncryptionSetId`, diskEncryptionSet),
  ];
}
