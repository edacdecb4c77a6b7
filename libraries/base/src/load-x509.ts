import { webcrypto } from "node:crypto";
import { createRequire } from "node:module";

const load = createRequire(import.meta.url);
let loaded: typeof import("@peculiar/x509") | undefined;

/**
 * Loads the certificate library with Node.js cryptography. The library is loaded lazily, because it is large and many processes
 * do not need it.
 */
export function loadX509(): typeof import("@peculiar/x509") {
  if (!loaded) {
    load("reflect-metadata");
    const library: typeof import("@peculiar/x509") = load("@peculiar/x509");
    library.cryptoProvider.set(webcrypto);
    loaded = library;
  }
  return loaded;
}
