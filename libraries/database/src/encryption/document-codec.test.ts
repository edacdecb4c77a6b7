import assert from "node:assert/strict";
import { test } from "node:test";
import { inspect } from "node:util";
import { isPlainObject, Secret } from "@keelson/base";
import fc from "fast-check";
import { type Document, defineCollection } from "../documents/collection.ts";
import { documentCodec } from "./document-codec.ts";
import { createKeyring, generateKey } from "./keyring.ts";

interface Sample extends Document {
  readonly content?: unknown;
}

const definition = defineCollection<Sample>({
  name: "samples",
  keys: {},
  unique: [],
  secretPaths: ["content.secret", "content.list[].secret", "content.map{}.secret", "content.tokens[]"],
});
const keyring = createKeyring({ current: "one", keys: { one: generateKey() } });
const codec = documentCodec(definition, keyring);
const at = { partitionKey: "p", id: "1" };
const tampered = { name: "SecretTampered" };
const roundTrip = (content: unknown) => codec.decode(codec.encode({ ...at, content }), at).content;

test("any JSON value survives", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), (content) => {
      assert.deepEqual(roundTrip({ inner: content }), JSON.parse(JSON.stringify({ inner: content })));
    }),
    { numRuns: 500 },
  );
});

test("any string survives as a secret, and is not readable in storage", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", minLength: 8 }), (text) => {
      const body = codec.encode({ ...at, content: { secret: new Secret(text) } });
      assert.ok(!body.includes(JSON.stringify(text).slice(1, -1)));
      assert.equal(reveal(codec.decode(body, at), "secret"), text);
    }),
  );
});

for (const [name, text] of [
  ["NUL", "a\0b"],
  ["an unpaired surrogate", "a\ud800b"],
  ["emoji", "🦺"],
  ["nothing", ""],
] as const) {
  test(`a string with ${name} survives, secret or not`, () => {
    assert.deepEqual(roundTrip({ text, [text]: 1 }), { text, [text]: 1 });
    const body = codec.encode({ ...at, content: { secret: new Secret(text) } });
    assert.equal(reveal(codec.decode(body, at), "secret"), text);
  });
}

test("fields with names of Object's properties survive beside secrets", () => {
  const json =
    '{"__proto__":{"x":1},"constructor":{"prototype":2},"secret":"s","map":{"__proto__":{"secret":"t"}}}';
  const read = roundTrip(JSON.parse(json));
  assert.equal(Object.getPrototypeOf(read), Object.prototype);
  assert.equal(JSON.stringify(read), json.replace('"s"', '"[REDACTED]"').replace('"t"', '"[REDACTED]"'));
});

test("secrets in lists and maps are sealed one by one", () => {
  const content = {
    list: [{ secret: new Secret("first") }, { other: 1 }, { secret: new Secret("third") }],
    map: { "a.b": { secret: new Secret("mapped") } },
    tokens: [new Secret("token")],
  };
  const body = codec.encode({ ...at, content });
  for (const plain of ["first", "third", "mapped", 'token"']) assert.ok(!body.includes(plain), plain);
  const read = codec.decode(body, at).content;
  assert.ok(isPlainObject(read) && Array.isArray(read.list) && Array.isArray(read.tokens));
  assert.equal(read.list[0].secret.reveal(), "first");
  assert.equal(read.list[2].secret.reveal(), "third");
  assert.equal(read.tokens[0].reveal(), "token");
  assert.ok(isPlainObject(read.map));
});

test("writing changes nothing in the document at hand", () => {
  const secret = new Secret("s");
  const document = { ...at, content: { secret, list: [{ secret }] } };
  codec.encode(document);
  assert.equal(document.content.secret, secret);
  assert.equal(document.content.list[0]?.secret, secret);
});

test("a plain string at a declared path is encrypted too", () => {
  const body = codec.encode({ ...at, content: { secret: "forgotten" } });
  assert.ok(!body.includes("forgotten"));
  assert.equal(reveal(codec.decode(body, at), "secret"), "forgotten");
});

for (const [path, content] of [
  ["content.secret", { secret: "in the clear" }],
  ["content.list[1].secret", { list: [{}, { secret: "in the clear" }] }],
  ['content.map["a"].secret', { map: { a: { secret: "in the clear" } } }],
  ["content.tokens[0]", { tokens: ["in the clear"] }],
] as const) {
  test(`a plaintext string at ${path} is not accepted as a secret: not revealed, opened, written back or encrypted`, () => {
    const document = codec.decode(JSON.stringify({ ...at, content }), at);
    assert.ok(codec.isOutdated(document));
    const first = (value: unknown): Secret | undefined =>
      value instanceof Secret
        ? value
        : Object.values(Object(value))
            .map(first)
            .find((each) => each !== undefined);
    for (const use of [
      () => first(document.content)?.reveal(),
      () => codec.openSecrets(document),
      () => codec.encode(document),
      () => codec.encode({ ...document, id: "2" }),
    ]) {
      assert.throws(use, (error: Error) => {
        assert.equal(error.name, "SecretTampered");
        assert.ok(error.message.startsWith(`${path} of document 1 in samples must be sealed`), error.message);
        assert.ok(!error.message.includes("in the clear"));
        return true;
      });
    }
  });
}

test("a plaintext string stays rejected while keys rotate", () => {
  const rotating = createKeyring({ current: "old", keys: { old: generateKey() } });
  const rotated = documentCodec(definition, rotating);
  const body = JSON.stringify({ ...at, content: { secret: "in the clear" } });
  const before = rotated.decode(body, at);
  rotating.rotate("new", generateKey());
  assert.throws(() => rotated.encode(before), tampered);
  assert.throws(() => rotated.encode(rotated.decode(body, at)), tampered);
});

for (const [where, content] of [
  ["content.unknown", { unknown: new Secret("leak") }],
  ["content.list.0.unknown", { list: [{ unknown: new Secret("leak") }] }],
  ["content.secret2", { secret: "ok", secret2: new Secret("leak") }],
] as const) {
  test(`a secret at the undeclared path ${where} fails the write, naming the path`, () => {
    assert.throws(
      () => codec.encode({ ...at, content }),
      (error: Error) => {
        assert.equal(error.name, "UndeclaredSecret");
        assert.ok(error.message.startsWith(`${where} `), error.message);
        assert.ok(!error.message.includes("leak"));
        return true;
      },
    );
  });
}

test("an object at a declared path fails the write", () => {
  assert.throws(() => codec.encode({ ...at, content: { secret: { a: 1 } } }), { name: "InvalidWrite" });
});

test("1,000 levels survive, more are refused", () => {
  const nested = (levels: number): unknown => JSON.parse("[".repeat(levels) + "]".repeat(levels));
  assert.deepEqual(roundTrip(nested(998)), nested(998));
  assert.throws(() => roundTrip(nested(5_000)), { name: "InvalidWrite" });
});

test("a ciphertext opens at its own place only", () => {
  const body = codec.encode({ ...at, content: { secret: "s", tokens: ["t", "u"] } });
  const others = documentCodec({ ...definition, name: "others" }, keyring);
  for (const moved of [
    codec.decode(body, { ...at, id: "2" }),
    codec.decode(body, { ...at, partitionKey: "q" }),
    others.decode(body, at),
  ]) {
    assert.throws(() => reveal(moved, "secret"), tampered);
    assert.throws(() => codec.openSecrets(moved), tampered);
  }
  const parsed = JSON.parse(body);
  parsed.content.tokens.reverse();
  const reversed = codec.decode(JSON.stringify(parsed), at);
  assert.equal(reveal(reversed, "secret"), "s");
  assert.throws(() => codec.openSecrets(reversed), tampered);
});

test("no byte of a ciphertext can change", () => {
  const sealed = JSON.parse(codec.encode({ ...at, content: { secret: "secret" } }));
  const revealed = () => reveal(codec.decode(JSON.stringify(sealed), at), "secret");
  const bytes = Buffer.from(sealed.content.secret.data, "base64");
  for (const [index, byte] of bytes.entries()) {
    const changed = Buffer.from(bytes);
    changed[index] = byte ^ 1;
    sealed.content.secret.data = changed.toString("base64");
    assert.throws(revealed, tampered);
  }
  for (const data of ["", "AAAA", bytes.subarray(0, -1).toString("base64")]) {
    sealed.content.secret.data = data;
    assert.throws(revealed, tampered);
  }
  for (const strange of [7, true, ["s"], {}, { sealed: "v2", keyId: "one", data: "AAAA" }]) {
    sealed.content.secret = strange;
    assert.throws(revealed, tampered);
  }
});

test("a secret is redacted, opened or not, and is decrypted each time: its plaintext is not stored", () => {
  const body = codec.encode({ ...at, content: { secret: "hidden text" } });
  const keys = { one: keyring.key("one") };
  const codecOnce = documentCodec(definition, { currentKeyId: () => "one", key: () => keys.one });
  const document = codecOnce.decode(body, at);
  for (let round = 0; round < 2; round++) {
    for (const printed of [JSON.stringify(document), inspect(document, { depth: 9, showHidden: true })]) {
      assert.ok(!printed.includes("hidden text") && !printed.includes("sealed"), printed);
      assert.ok(printed.includes("[REDACTED]"), printed);
    }
    assert.equal(reveal(document, "secret"), "hidden text");
  }
  keys.one = undefined;
  assert.throws(() => reveal(document, "secret"), { name: "EncryptionKeyMissing" });
});

test("a secret written back to its place keeps its ciphertext; elsewhere it is encrypted again", () => {
  const body = codec.encode({ ...at, content: { secret: "s", tokens: ["t", "u"] } });
  const document = codec.decode(body, at);
  assert.equal(codec.encode(document), body);
  codec.openSecrets(document);
  assert.equal(codec.encode(document), body);
  const elsewhere = { ...document, id: "2" };
  assert.equal(reveal(codec.decode(codec.encode(elsewhere), { ...at, id: "2" }), "secret"), "s");
  const content = document.content;
  assert.ok(isPlainObject(content) && Array.isArray(content.tokens));
  const swapped = { ...document, content: { ...content, tokens: content.tokens.toReversed() } };
  const read = codec.decode(codec.encode(swapped), at).content;
  assert.ok(isPlainObject(read) && Array.isArray(read.tokens));
  assert.deepEqual(
    read.tokens.map((token) => token.reveal()),
    ["u", "t"],
  );
});

test("a modified secret is never encrypted again", () => {
  const parsed = JSON.parse(codec.encode({ ...at, content: { secret: "s" } }));
  parsed.content.secret.data = Buffer.alloc(40).toString("base64");
  const document = codec.decode(JSON.stringify(parsed), at);
  assert.throws(() => codec.encode({ ...document, id: "2" }), tampered);
  assert.throws(() => reveal(codec.decode(codec.encode(document), at), "secret"), tampered);
});

test("a rotation seals new writes with the new key while old ones still open", () => {
  const rotating = createKeyring({ current: "old", keys: { old: generateKey() } });
  const rotated = documentCodec(definition, rotating);
  const before = rotated.encode({ ...at, content: { secret: "s" } });
  rotating.rotate("new", generateKey());
  const after = rotated.encode(rotated.decode(before, at));
  assert.equal(JSON.parse(before).content.secret.keyId, "old");
  assert.equal(JSON.parse(after).content.secret.keyId, "new");
  assert.equal(reveal(rotated.decode(before, at), "secret"), "s");
});

test("a missing key is named with the place that needs it", () => {
  const body = codec.encode({ ...at, content: { list: [{}, { secret: "s" }] } });
  const others = documentCodec(definition, createKeyring({ current: "two", keys: { two: generateKey() } }));
  const document = others.decode(body, at);
  for (const needing of [() => others.openSecrets(document), () => others.encode(document)]) {
    assert.throws(needing, (error: Error) => {
      assert.equal(error.name, "EncryptionKeyMissing");
      for (const part of ["one", "samples", "document 1 ", "content.list[1].secret"]) {
        assert.ok(error.message.includes(part), `${part} in ${error.message}`);
      }
      return true;
    });
  }
});

test("a key that is no AES-256 key is refused", () => {
  assert.throws(() => createKeyring({ current: "a", keys: { a: new Uint8Array(16) } }), {
    name: "InvalidKey",
  });
  assert.throws(() => createKeyring({ current: "b", keys: { a: generateKey() } }), { name: "InvalidKey" });
});

function reveal(document: Sample, member: string): string {
  assert.ok(isPlainObject(document.content));
  const secret = document.content[member];
  assert.ok(secret instanceof Secret);
  return secret.reveal();
}
