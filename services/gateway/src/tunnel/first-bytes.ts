import type { Socket } from "node:net";

/**
 * Reads the start of a connection until `parse` returns a result, then pauses the socket. The first `taken` bytes are consumed.
 * All later bytes are put back. The function has no time limit for silent connections, so callers must set one.
 * @throws Error of `parse`, or if the connection ends before `parse` returns a result
 */
export function firstBytes<T extends { readonly taken: number }>(
  socket: Socket,
  parse: (data: Buffer) => T | undefined,
): Promise<T> {
  return new Promise((resolve, reject) => {
    let data: Buffer = Buffer.alloc(0);
    const finish = (act: () => void) => {
      socket.pause();
      socket.off("data", read).off("end", end).off("close", end).off("error", reject);
      act();
    };
    const end = () => finish(() => reject(new Error("it ended before it said what it wants")));
    const read = (chunk: Buffer) => {
      data = data.length === 0 ? chunk : Buffer.concat([data, chunk]);
      try {
        const found = parse(data);
        if (!found) return;
        finish(() => {
          if (found.taken < data.length) socket.unshift(data.subarray(found.taken));
          resolve(found);
        });
      } catch (error) {
        finish(() => reject(error));
      }
    };
    socket.on("data", read).on("end", end).on("close", end).on("error", reject).resume();
  });
}
