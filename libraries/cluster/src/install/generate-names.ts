import { randomInt } from "node:crypto";

const infraIdLength = 27;
const randomLength = 5;
/** Characters of generated names, as in Kubernetes. Vowels and ambiguous characters are excluded. */
const infraIdAlphabet = "bcdfghjklmnpqrstvwxz2456789";
const storageSuffixAlphabet = "bcdfghjklmnpqrstvwxyz0123456789";

/**
 * Generates the name prefix of a cluster's Azure resources, at most 27 characters long. It consists of the cluster's name in
 * lower case and five random characters. Characters that Azure does not allow become `-`. A name without allowed characters
 * becomes `cluster`.
 */
export function generateInfraId(clusterName: string): string {
  const base = clusterName
    .toLowerCase()
    .replace(/[^a-z0-9-]/g, "-")
    .replace(/-{2,}/g, "-")
    .replace(/^-/, "")
    .slice(0, infraIdLength - randomLength - 1)
    .replace(/-+$/, "");
  return `${base || "cluster"}-${randomText(randomLength, infraIdAlphabet)}`;
}

/** Generates the suffix that makes storage account names unique in Azure. */
export function generateStorageSuffix(): string {
  return randomText(10, storageSuffixAlphabet);
}

function randomText(length: number, alphabet: string): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join("");
}
