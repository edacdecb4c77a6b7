import { Duplex } from "node:stream";

/**
 * Both ends of a connection within this process. Unlike Node's `duplexPair`, it delivers data asynchronously,
 * like a network. ssh2 cannot handle a response before its own write has returned.
 */
export function connectionPair(): readonly [Duplex, Duplex] {
  const first: Duplex = end(() => second);
  const second: Duplex = end(() => first);
  return [first, second];
}

function end(other: () => Duplex): Duplex {
  let resume: (() => void) | undefined;
  const duplex = new Duplex({
    read: () => void other().emit("room"),
    write(chunk, _encoding, done) {
      setImmediate(() => {
        if (other().destroyed || other().push(chunk)) done();
        else resume = done;
      });
    },
    final(done) {
      setImmediate(() => {
        if (!other().destroyed) other().push(null);
        done();
      });
    },
    destroy(error, done) {
      setImmediate(() => other().destroy());
      done(error);
    },
  });
  duplex.on("room", () => {
    const go = resume;
    resume = undefined;
    go?.();
  });
  return duplex;
}
