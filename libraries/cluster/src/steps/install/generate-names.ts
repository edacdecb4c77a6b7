import { randomInt } from "node:crypto";

const infraIdLength = 27;
const randomLength = 5;
/** The alphabet of Kubernetes' generated names: no vowels, no ambiguous characters. */
const infraIdAlphabet = "bcdfghjklmnpqrstvwxz2456789";
const storageSuffixAlphabet = "bcdfghjklmnpqrstvwxyz0123456789";

/**
 * The prefix of the names of a cluster's Azure resources: its own name in lower case, with `-` for what Azure does not
 * allow (`cluster` if nothing is left), and five random characters; at most 27 characters.
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

/** A suffix that makes the names of storage accounts unique in Azure. */
export function generateStorageSuffix(): string {
  return randomText(10, storageSuffixAlphabet);
}

function randomText(length: number, alphabet: string): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join("");
}
