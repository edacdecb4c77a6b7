import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";

export const usage = `usage: node scripts/release.ts cut VERSION [--dry-run]
       node scripts/release.ts artifacts (--key FILE | --unsigned) [--output DIR] [--base-image NAME] [--npmrc FILE]
                               [--source URI] [--builder URI] [--without-images]
       node scripts/release.ts verify DIR --public-key FILE

cut        set the version of all packages, move "Unreleased" of the changelog, and commit both
artifacts  build the files of the release at HEAD
verify     verify the signature, checksums and provenance of released files
`;

const texts = ["key", "output", "base-image", "npmrc", "source", "builder", "public-key"] as const;
const switches = ["dry-run", "unsigned", "without-images", "help"] as const;

export interface ReleaseOptions {
  readonly command: string;
  readonly argument: string;
  readonly values: Readonly<Partial<Record<(typeof texts)[number], string>>>;
  readonly switches: ReadonlySet<(typeof switches)[number]>;
}

const allowed: Readonly<Record<string, readonly string[]>> = {
  cut: ["dry-run"],
  artifacts: ["key", "unsigned", "output", "base-image", "npmrc", "source", "builder", "without-images"],
  verify: ["public-key"],
};

/**
 * Parses the command line.
 * @throws UsageError
 */
export function parseReleaseOptions(args: readonly string[]): ReleaseOptions {
  let parsed: ReturnType<typeof parse>;
  try {
    parsed = parse(args);
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
  const [command = "", argument = "", ...rest] = parsed.positionals;
  const given = Object.keys(parsed.values);
  if (given.includes("help")) return { command: "help", argument: "", values: {}, switches: new Set() };
  const names = allowed[command];
  if (!names)
    throw new UsageError(
      `Unknown command "${command}". Use cut, artifacts or verify, for example: cut 0.2.0`,
    );
  const foreign = given.find((name) => !names.includes(name));
  if (foreign !== undefined)
    throw new UsageError(`${command} has no option --${foreign}. Its options: --${names.join(", --")}`);
  if (rest.length > 0 || (command === "artifacts" && argument !== ""))
    throw new UsageError(`Unexpected argument "${rest[0] ?? argument}".`);
  if (command === "cut" && argument === "")
    throw new UsageError("VERSION is missing. Use MAJOR.MINOR.PATCH, for example: cut 0.2.0");
  if (command === "verify" && (argument === "" || parsed.values["public-key"] === undefined))
    throw new UsageError(
      "DIR or --public-key is missing, for example: verify dist/release --public-key release.pub",
    );
  if (command === "artifacts" && (parsed.values.key === undefined) === (parsed.values.unsigned !== true))
    throw new UsageError("Use either --key FILE or --unsigned, for example: artifacts --key release-key.pem");
  const values = Object.fromEntries(texts.map((name) => [name, parsed.values[name]]));
  return {
    command,
    argument,
    values,
    switches: new Set(switches.filter((name) => parsed.values[name] === true)),
  };
}

function parse(args: readonly string[]) {
  return parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      key: { type: "string" },
      output: { type: "string" },
      "base-image": { type: "string" },
      npmrc: { type: "string" },
      source: { type: "string" },
      builder: { type: "string" },
      "public-key": { type: "string" },
      "dry-run": { type: "boolean" },
      unsigned: { type: "boolean" },
      "without-images": { type: "boolean" },
      help: { type: "boolean" },
    },
  });
}

/**
 * Reads an Ed25519 private key.
 * @throws UsageError
 */
export function readSigningKey(file: string): KeyObject {
  return readKey(file, createPrivateKey, "openssl genpkey -algorithm ed25519 -out release-key.pem");
}

/**
 * Reads an Ed25519 public key.
 * @throws UsageError
 */
export function readPublicKey(file: string): KeyObject {
  return readKey(file, createPublicKey, "openssl pkey -in release-key.pem -pubout -out release.pub");
}

function readKey(file: string, create: (pem: Buffer) => KeyObject, example: string): KeyObject {
  let key: KeyObject;
  try {
    key = create(readFileSync(file));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`${file} cannot be read as a key in PEM form: ${reason}. Create one: ${example}`);
  }
  if (key.asymmetricKeyType === "ed25519") return key;
  throw new UsageError(
    `${file} is a key of type ${key.asymmetricKeyType}, not ed25519. Create one: ${example}`,
  );
}

/** Invalid command line. */
export class UsageError extends Error {}
