import assert from "node:assert/strict";
import { test } from "node:test";
import { webhookUrl as url, withWebhooks } from "./webhook-receivers.ts";

const cases: readonly (readonly [name: string, before: string, after: string])[] = [
  [
    "a Default receiver without webhook, beside others",
    `# of the customer\nglobal:\n  resolve_timeout: 5m\n  id: 9007199254740993\nreceivers:\n- name: Default # unused\n- name: Critical\n  webhook_configs:\n  - url: https://example.com\nroute:\n  receiver: Default\n`,
    `# of the customer\nglobal:\n  resolve_timeout: 5m\n  id: 9007199254740993\nreceivers:\n- name: Default # unused\n  webhook_configs:\n  - url: ${url}\n- name: Critical\n  webhook_configs:\n  - url: https://example.com\nroute:\n  receiver: Default\n`,
  ],
  [
    "a receiver named null",
    'receivers:\n  - name: "null"\n',
    `receivers:\n  - name: "null"\n    webhook_configs:\n      - url: ${url}\n`,
  ],
  [
    "another webhook of Default",
    "receivers:\n- name: Default\n  webhook_configs:\n  - url: https://example.com\n    send_resolved: true\n",
    `receivers:\n- name: Default\n  webhook_configs:\n  - url: ${url}\n`,
  ],
  [
    "JSON",
    '{ "receivers": [ { "name": "Default" } ] }\n',
    `{ "receivers": [ { "name": "Default", webhook_configs: [ { url: ${url} } ] } ] }\n`,
  ],
  [
    "a receiver by an alias",
    "x: &d\n  name: Default\nreceivers:\n- *d\n",
    `x: &d\n  name: Default\n  webhook_configs:\n  - url: ${url}\nreceivers:\n- *d\n`,
  ],
];
for (const [name, before, after] of cases)
  test(`${name} is set`, () => {
    assert.equal(withWebhooks(before), after);
    assert.equal(withWebhooks(after), after, "and stays");
  });

const unchanged: readonly (readonly [name: string, text: string])[] = [
  ["no text", ""],
  ["comments alone", "# none\n"],
  ["no receivers", "route: {}\n"],
  ["receivers that are no list", "receivers:   {name: Default}\n"],
  ["malformed receivers", "receivers: [1, null, [], {}, {name: [Default]}, {name: }]\n"],
  ["a receiver with the name null instead of the string", "receivers:\n-   name: null\n"],
  ["receivers of the customer", "receivers:\n-   name: Critical\n    webhook_configs: []\n"],
];
for (const [name, text] of unchanged)
  test(`${name}: unchanged to the byte`, () => assert.equal(withWebhooks(text), text));

const faults: readonly (readonly [text: string, message: RegExp])[] = [
  ["secret: [x", /^InvalidYaml: is not valid YAML: [A-Z_]+ in line 1$/],
  ["a: 1\na: 2\n", /^InvalidYaml: is not valid YAML: DUPLICATE_KEY in line 2$/],
  ["a: 1\n---\nb: 2\n", /^InvalidYaml: is not valid YAML: MULTIPLE_DOCS in line \d$/],
  ["- name: Default\n", /^InvalidYaml: is not a mapping$/],
  ["secret", /^InvalidYaml: is not a mapping$/],
  ["[".repeat(20_000), /^InvalidYaml: is not valid YAML: /],
  ["receivers: &r\n- name: Default\n- *s\n", /^InvalidYaml: is not valid YAML: an alias has no anchor$/],
];
for (const [text, message] of faults)
  test(`${JSON.stringify(text.slice(0, 40))} is rejected and not quoted`, () => {
    assert.throws(
      () => withWebhooks(text),
      (error: Error) => message.test(String(error)) && !error.message.includes("secret"),
    );
  });
