import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { mkdtempDisposableSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { parseReleaseOptions, readPublicKey, readSigningKey } from "./options.ts";

test("an invalid command line is refused with the value and an example", () => {
  const rows: readonly (readonly [readonly string[], RegExp])[] = [
    [[], /Unknown command "".*for example: cut 0\.2\.0/],
    [["cut"], /VERSION is missing.*cut 0\.2\.0/],
    [["cut", "1.0.0", "more"], /Unexpected argument "more"/],
    [["cut", "1.0.0", "--key", "file"], /cut has no option --key.*--dry-run/],
    [["artifacts"], /either --key FILE or --unsigned/],
    [["artifacts", "--key", "a", "--unsigned"], /either --key FILE or --unsigned/],
    [["verify", "directory"], /--public-key is missing/],
    [["cut", "--size"], /--size/],
  ];
  for (const [args, problem] of rows) assert.throws(() => parseReleaseOptions(args), problem, args.join(" "));
  const { command, argument, switches } = parseReleaseOptions(["cut", "1.0.0", "--dry-run"]);
  assert.deepEqual([command, argument, [...switches]], ["cut", "1.0.0", ["dry-run"]]);
});

test("only an Ed25519 key is accepted for signatures", () => {
  using directory = mkdtempDisposableSync(join(tmpdir(), "keelson-release-"));
  const write = (name: string, pem: string | Buffer) => {
    const file = join(directory.path, name);
    writeFileSync(file, pem);
    return file;
  };
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const key = write("key.pem", privateKey.export({ type: "pkcs8", format: "pem" }));
  assert.equal(readSigningKey(key).asymmetricKeyType, "ed25519");
  const pem = write("key.pub", publicKey.export({ type: "spki", format: "pem" }));
  assert.equal(readPublicKey(pem).asymmetricKeyType, "ed25519");
  const rsa = generateKeyPairSync("rsa", { modulusLength: 2_048 }).privateKey;
  assert.throws(
    () => readSigningKey(write("rsa.pem", rsa.export({ type: "pkcs8", format: "pem" }))),
    /type rsa, not ed25519.*openssl genpkey/,
  );
  assert.throws(() => readSigningKey(join(directory.path, "missing")), /cannot be read/);
});
