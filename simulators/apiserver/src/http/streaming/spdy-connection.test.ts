import assert from "node:assert/strict";
import { Duplex } from "node:stream";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { outputOf } from "./spdy-connection.ts";

/** Creates a stream to a client that accepts each chunk only when the test calls the next function of `accepted`. */
function slowClient() {
  const received: string[] = [];
  const accepted: (() => void)[] = [];
  const duplex = new Duplex({
    read: () => undefined,
    write(chunk, _encoding, done) {
      received.push(String(chunk));
      accepted.push(done);
    },
    final(done) {
      received.push("end");
      done();
    },
  });
  return { duplex, received, accepted };
}

test("output that waits for a slow client when the process ends is sent before the end of the stream", async () => {
  const { duplex, received, accepted } = slowClient();
  const output = outputOf(duplex);
  for (const text of ["a", "b", "c"]) output.writable.write(text);
  const ended = output.end();
  for (let count = 0; count < 3; count++) {
    assert.deepEqual(received, ["a", "b", "c"].slice(0, count + 1));
    accepted[count]?.();
    await turn();
  }
  await ended;
  assert.deepEqual(received, ["a", "b", "c", "end"]);
});

test("the end of a process that destroyed its output reaches the client", async () => {
  const { duplex, received } = slowClient();
  const output = outputOf(duplex);
  output.writable.destroy();
  await output.end();
  assert.deepEqual(received, ["end"]);
});

test("the end of output after a disconnect is an error", async () => {
  const { duplex } = slowClient();
  duplex.on("error", () => undefined);
  const output = outputOf(duplex);
  output.writable.write("a");
  duplex.destroy(new Error("disconnected"));
  await assert.rejects(output.end(), { message: "disconnected" });
});
