import { Duplex } from "node:stream";

/**
 * Returns both ends of an in-process connection. Data arrives asynchronously, as on a network. Node's `duplexPair` is not
 * suitable, because it can deliver a response before ssh2's write call returns. In this case, ssh2 fails.
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
