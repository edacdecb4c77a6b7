import assert from "node:assert/strict";
import { test } from "node:test";
import { redactText } from "@keelson/base";
import fc from "fast-check";
import { loggedHeaders } from "./logged-headers.ts";
import { redactedJson } from "./redacted-json.ts";
import { redactedForm, redactedTarget } from "./redacted-parameters.ts";
import { redactedText } from "./redacted-text.ts";

const limit = 100_000;

/** Fields with secrets in request and response bodies of Azure services and of this resource provider. */
const secretFields = [
  ...[
    "clientSecret",
    "client_secret",
    "secretText",
    "password",
    "adminPassword",
    "administratorLoginPassword",
  ],
  ...["access_token", "refresh_token", "id_token", "assertion", "client_assertion", "pullSecret"],
  ...["primaryMasterKey", "secondaryReadonlyMasterKey", "primaryKey", "key", "keys", "accessKey", "keyData"],
  ...["connectionString", "connectionStrings", "kubeconfig", "kubeadminPassword", "customData", "userData"],
  ...[
    "protectedSettings",
    "commandToExecute",
    "script",
    "sasToken",
    "signature",
    "passwords",
    "federatedToken",
  ],
  ...["passwordCredentials", "keyCredentials", "accountKey", "ignition_config", "Set-Cookie"],
];
/** Fields without secrets. */
const plainFields = [
  "name",
  "properties",
  "value",
  "tags",
  "items",
  "vmSize",
  "secretName",
  "tokenType",
  "publicKey",
];

/** Secret with a prefix that occurs in no other string of the test. */
const secret = fc.stringMatching(/^[A-Za-z0-9+/=_~.-]{16,80}$/).map((text) => `s3cr3t${text}`);

/** Strings that contain a secret in a recognizable format. Such a secret must be redacted in any field. */
const recognizable = fc.stringMatching(/^[A-Za-z0-9_-]{20,60}$/).map((text) => ({ secret: text, text }));
const recognizableText = recognizable.chain(({ secret: each }) =>
  fc.constantFrom(
    { secret: each, text: `Bearer ${each}` },
    { secret: each, text: `eyJhbGciOiJub25lIn0.eyJ${each}.${each}` },
    { secret: each, text: `https://a.blob.core.windows.net/c/b?sv=1&sig=${each}` },
    { secret: each, text: `DefaultEndpointsProtocol=https;AccountKey=${each};EndpointSuffix=x` },
    { secret: each, text: `-----BEGIN PRIVATE KEY-----\n${each}\n-----END PRIVATE KEY-----` },
    { secret: each, text: `{"password":"${each}"}` },
    { secret: each, text: `AZURE_CLIENT_SECRET=${each} run` },
  ),
);

/** Nests a value in objects and arrays. */
function nested(value: fc.Arbitrary<unknown>, depth: number): fc.Arbitrary<unknown> {
  if (depth === 0) return value;
  const inner = nested(value, depth - 1);
  return fc.oneof(
    fc.tuple(fc.constantFrom(...plainFields), inner).map(([name, each]) => ({ a: 1, [name]: each, z: "z" })),
    fc.tuple(fc.jsonValue(), inner).map((each) => each),
    inner,
  );
}

test("no secret of a field with a secret name survives, at any depth and in any form", () => {
  const body = fc.tuple(secret, fc.constantFrom(...secretFields), fc.nat(3)).chain(([each, field, depth]) => {
    const forms = fc.constantFrom<unknown>(
      each,
      [each],
      { value: each },
      { a: [{ name: each, value: each }] },
    );
    return nested(
      forms.map((form) => ({ [field]: form })),
      depth,
    ).map((value) => ({ value, secret: each }));
  });
  fc.assert(
    fc.property(
      body,
      fc.constantFrom("usual" as const, "strict" as const),
      ({ value, secret: each }, mode) => {
        const { text } = redactedJson(value, limit, mode);
        assert.ok(!text.includes(each), text);
        JSON.parse(text);
      },
    ),
    { numRuns: 500 },
  );
});

test("no secret in a known form survives under any field, also as the name of a field", () => {
  const body = recognizableText.chain(({ secret: each, text }) =>
    nested(fc.constantFrom<unknown>(text, [text], { [text]: 1 }), 2).map((value) => ({
      value,
      secret: each,
    })),
  );
  fc.assert(
    fc.property(body, ({ value, secret: each }) => {
      const { text } = redactedJson(value, limit, "usual");
      assert.ok(!text.includes(each), text);
    }),
    { numRuns: 500 },
  );
});

test("where services exchange secrets, only fields that are known as public survive", () => {
  const body = fc.tuple(secret, fc.string({ minLength: 1 }), fc.nat(3)).map(([each, field, depth]) => {
    let value: unknown = { [`x${field}`]: each };
    for (let at = 0; at < depth; at++) value = { value: [value] };
    return { value, secret: each };
  });
  fc.assert(
    fc.property(body, ({ value, secret: each }) => {
      assert.ok(!redactedJson(value, limit, "strict").text.includes(each));
    }),
    { numRuns: 300 },
  );
  const token = { token_type: "Bearer", expires_in: 3_599, access_token: "abc", anything: "abc" };
  assert.deepEqual(JSON.parse(redactedJson(token, limit, "strict").text), {
    token_type: "Bearer",
    expires_in: 3_599,
    access_token: "[REDACTED]",
    anything: "[REDACTED]",
  });
});

test("secure parameters of a deployment are redacted, others are not", () => {
  const parameters = { open: { value: "visible" }, Pin: { value: "1234" }, whole: { value: { a: "1234" } } };
  const template = {
    parameters: {
      open: { type: "string", defaultValue: "visible" },
      pin: { type: "secureString", defaultValue: "1234" },
      whole: { type: "SecureObject" },
    },
    resources: [{ properties: { parameters: { inner: { type: "SecureString", value: "1234" } } } }],
  };
  const { text } = redactedJson({ properties: { template, parameters } }, limit, "usual");
  assert.ok(!text.includes("1234"), text);
  assert.equal(text.match(/visible/g)?.length, 2);
});

test("the check for unsuspicious strings skips no string that redactText changes", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        recognizableText.map(({ text }) => text),
        fc.string({ maxLength: 300 }),
        secret,
      ),
      (text) => {
        assert.equal(redactedText(text), redactText(text));
      },
    ),
    { numRuns: 2_000 },
  );
});

test("ordinary bodies survive as they are", () => {
  const body = {
    id: "/subscriptions/s/resourceGroups/g",
    properties: {
      keyVaultUri: "https://v.vault.azure.net/",
      secretName: "pull",
      osProfile: { linuxConfiguration: { ssh: { publicKey: "ssh-rsa AAAA" } } },
      count: 3,
      isReady: true,
      nothing: null,
    },
  };
  assert.deepEqual(JSON.parse(redactedJson(body, limit, "usual").text), body);
});

test("a long body is cut between values, deep ones end, and long strings are replaced by their length", () => {
  const many = Array.from({ length: 10_000 }, (_, at) => `entry ${at}`);
  const cut = redactedJson(many, 1_000, "usual");
  assert.ok(cut.isCut && cut.text.length <= 1_000);
  assert.match(cut.text, /"entry \d+",?$/);
  let deep: unknown = "end";
  for (let at = 0; at < 10_000; at++) deep = [deep];
  assert.match(redactedJson(deep, limit, "usual").text, /nested too deeply/);
  assert.equal(redactedJson(["x".repeat(5_000)], limit, "usual").text, '["[5000 characters]"]');
});

test("queries have the values of known parameters only", () => {
  fc.assert(
    fc.property(secret, fc.constantFrom("sig", "code", "state", "t", "token", "x"), (each, name) => {
      const target = redactedTarget(
        `/a/b?api-version=2024-03-01&${name}=${encodeURIComponent(each)}&${each}&${each}=1`,
      );
      assert.ok(!target.includes(each) && !target.includes(encodeURIComponent(each)), target);
      assert.match(target, /^\/a\/b\?api-version=2024-03-01&/);
    }),
  );
  assert.equal(redactedTarget("/a?vmName=m&x1=2&flag"), "/a?vmName=[REDACTED]&[REDACTED]&[REDACTED]");
  assert.equal(redactedTarget("/a?$filter=name eq 'b'&%24top=5"), "/a?$filter=name eq 'b'&%24top=5");
});

test("forms have the values of known fields only", () => {
  fc.assert(
    fc.property(
      secret,
      fc.constantFrom("client_secret", "password", "assertion", "code", "x"),
      (each, name) => {
        const form = new URLSearchParams({ grant_type: "client_credentials", client_id: "c", [name]: each });
        const { text } = redactedForm(form, limit);
        assert.ok(!text.includes(each), text);
        assert.match(text, /^grant_type=client_credentials\nclient_id=c\n/);
      },
    ),
  );
});

test("headers are those that are known as public, Authorization has its scheme, URLs have public parameters", () => {
  fc.assert(
    fc.property(
      secret,
      fc.constantFrom(
        "authorization",
        "cookie",
        "set-cookie",
        "x-ms-authorization-auxiliary",
        "api-key",
        "referer",
      ),
      (each, name) => {
        const shown = loggedHeaders({ [name]: `Bearer ${each}`, "content-type": "application/json" });
        assert.ok(!JSON.stringify(shown).includes(each));
        assert.equal(shown["content-type"], "application/json");
      },
    ),
  );
  assert.deepEqual(
    loggedHeaders({
      authorization: "SharedKey account:c2lnbmF0dXJl",
      location: "https://a.example/operations/1?api-version=1&t=638&c=MIIH&s=sig&h=x",
    }),
    {
      authorization: "SharedKey [REDACTED]",
      location:
        "https://a.example/operations/1?api-version=1&t=[REDACTED]&c=[REDACTED]&s=[REDACTED]&h=[REDACTED]",
    },
  );
});
