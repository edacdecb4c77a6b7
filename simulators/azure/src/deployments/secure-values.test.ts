import assert from "node:assert/strict";
import { test } from "node:test";
import { SecureValues } from "./secure-values.ts";

test("secrets are masked at any depth, alone and inside longer strings, short ones only alone", () => {
  const secrets = new SecureValues();
  secrets.add({
    parameters: {
      password: "correct horse",
      settings: { keys: ["battery"] },
      short: "x",
      empty: "",
      plain: "staple",
    },
    shownParameters: {
      password: { type: "SecureString" },
      settings: { type: "SecureObject" },
      short: { type: "SecureString" },
      empty: { type: "SecureString" },
      plain: { type: "String", value: "staple" },
    },
  });
  assert.deepEqual(
    secrets.masked({
      list: ["correct horse", { url: "https://u:correct horse@h/" }, 3, null],
      key: "battery",
      short: "x",
      name: "box",
      plain: "staple",
      empty: "",
    }),
    {
      list: ["*******", { url: "https://u:*******@h/" }, 3, null],
      key: "*******",
      short: "*******",
      name: "box",
      plain: "staple",
      empty: "",
    },
  );
});
