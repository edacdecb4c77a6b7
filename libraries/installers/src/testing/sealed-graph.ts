import { Secret } from "@keelson/base";

/** 00 to 3f. */
export const graphKey = new Secret(
  Buffer.from(Array.from({ length: 64 }, (_, index) => index)).toString("base64"),
);

export const graphText = '{"*tls.RootCA":{}}';

/** Sealed with `graphKey` by openssl and Python's hmac; the vector is that of the draft's section 5.4, 1a f3 .. bc 04. */
export const sealedGraph = Buffer.from(
  "1af38c2dc2b96ffdd86694092341bc04fe1a18683400a370a6ec041fecb73056a2184b04c5d3233da8813d3aac65b7d7247699a33a1422bf830148fd209cebe664876603c3730f2df957536bbde424ad",
  "hex",
);
