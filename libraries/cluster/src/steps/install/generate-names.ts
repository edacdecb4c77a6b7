import { randomInt } from "node:crypto";

const infraIdLength = 27;
const randomLength = 5;
/** No vowels and nothing that looks like another character: the alphabet of Kubernetes' generated names. */
const infraIdAlphabet = "bcdfghjklmnpqrstvwxz2456789";
const storageSuffixAlphabet = "bcdfghjklmnpqrstvwxyz0123456789";

/**
 * The prefix of the names of all of a cluster's Azure objects: the cluster's name in lower case, what Azure
 * does not allow replaced by `-` (`cluster` if nothing is left), and five random characters; 27 characters at most.
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

/** What makes the names of a cluster's storage accounts unique in Azure. */
export function generateStorageSuffix(): string {
  return randomText(10, storageSuffixAlphabet);
}

function randomText(length: number, alphabet: string): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join("");
}
