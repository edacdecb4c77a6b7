import assert from "node:assert/strict";
import { test } from "node:test";
import { Command } from "commander";
import { commands } from "./program.ts";

test("a command has the name that it is asked for by", async () => {
  for (const [name, load] of Object.entries(commands))
    assert.equal((await load())(new Command()).name(), name);
});
