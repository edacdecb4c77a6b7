import { createHash, createPublicKey, type KeyObject, sign, verify } from "node:crypto";
import { createReadStream, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import {
  type Build,
  type Envelope,
  provenance,
  type Subject,
  signEnvelope,
  verifyEnvelope,
} from "./provenance.ts";

const sumsFile = "SHA256SUMS";
const signatureFile = "SHA256SUMS.sig";
const provenanceFile = "provenance.intoto.jsonl";
const publicKeyFile = "release.pub";

/**
 * Files that describe other files, for example checksums and signatures. Each of them is written after the files that it
 * describes.
 */
const seals: ReadonlySet<string> = new Set([sumsFile, signatureFile, publicKeyFile]);

/**
 * Writes the provenance, the checksums and the signature of the files in `directory`. Without a key, writes only the checksums.
 * The signature of the checksums is a plain Ed25519 signature, which openssl can verify.
 */
export async function signRelease(
  directory: string,
  build: Build,
  key: KeyObject | undefined,
): Promise<void> {
  const names = readdirSync(directory).filter((name) => !seals.has(name) && name !== provenanceFile);
  const subjects = await Promise.all(names.toSorted().map((name) => subjectOf(directory, name)));
  if (key) {
    const envelope = signEnvelope(provenance(subjects, build), key);
    writeFileSync(join(directory, provenanceFile), `${JSON.stringify(envelope)}\n`);
    subjects.push(await subjectOf(directory, provenanceFile));
  }
  const sums = subjects.map(({ name, sha256 }) => `${sha256}  ${name}\n`).join("");
  writeFileSync(join(directory, sumsFile), sums);
  if (!key) return;
  writeFileSync(join(directory, signatureFile), sign(null, Buffer.from(sums), key));
  writeFileSync(join(directory, publicKeyFile), createPublicKey(key).export({ type: "spki", format: "pem" }));
}

/** Returns the problems of the signature, the checksums and the provenance in `directory`. */
export async function verifyRelease(directory: string, publicKey: KeyObject): Promise<readonly string[]> {
  for (const name of [sumsFile, signatureFile, provenanceFile])
    if (!existsSync(join(directory, name))) return [`${name} is missing.`];
  const sums = readFileSync(join(directory, sumsFile));
  if (!verify(null, sums, publicKey, readFileSync(join(directory, signatureFile))))
    return [`${signatureFile} is not a signature of ${sumsFile} with this key.`];
  const problems: string[] = [];
  const expected = new Map(
    sums
      .toString()
      .split("\n")
      .filter(Boolean)
      .map((line) => [line.slice(66), line.slice(0, 64)] as const),
  );
  for (const [name, sha256] of expected) {
    const isPresent = existsSync(join(directory, name));
    if (!isPresent) problems.push(`${name} is missing.`);
    else if ((await subjectOf(directory, name)).sha256 !== sha256)
      problems.push(`${name} does not have the checksum of ${sumsFile}.`);
  }
  for (const name of readdirSync(directory))
    if (!expected.has(name) && !seals.has(name)) problems.push(`${name} is not listed in ${sumsFile}.`);
  const envelope: Envelope = JSON.parse(readFileSync(join(directory, provenanceFile), "utf8"));
  const statement = verifyEnvelope(envelope, publicKey);
  if (!statement) return [...problems, `${provenanceFile} has no signature of this key.`];
  for (const { name, digest } of subjectsOf(statement))
    if (expected.get(name) !== digest.sha256)
      problems.push(`${provenanceFile} has a different checksum of ${name}.`);
  return problems;
}

function subjectsOf(statement: {
  readonly subject?: readonly { name: string; digest: { sha256: string } }[];
}) {
  return statement.subject ?? [];
}

async function subjectOf(directory: string, name: string): Promise<Subject> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(join(directory, name)), hash);
  return { name, sha256: hash.digest("hex") };
}
