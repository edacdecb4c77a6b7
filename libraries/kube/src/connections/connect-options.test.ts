import assert from "node:assert/strict";
import { test } from "node:test";
import { createKubeconfig } from "../index.ts";
import { kubeEndpoint } from "./connect-options.ts";

const rows: readonly {
  readonly name: string;
  readonly server: string;
  readonly internalAddress: string | undefined;
  readonly origin: string;
  readonly address: string | undefined;
}[] = [
  {
    name: "an internal name without an address",
    server: "https://api-int.demo.example:6443",
    internalAddress: undefined,
    origin: "https://api-int.demo.example:6443",
    address: undefined,
  },
  {
    name: "an internal name at an address",
    server: "https://api-int.demo.example:6443",
    internalAddress: "10.0.0.4",
    origin: "https://api-int.demo.example:6443",
    address: "10.0.0.4",
  },
  {
    name: "an internal name at an address with a port",
    server: "https://api-int.demo.example:6443/base",
    internalAddress: "127.0.0.1:16443",
    origin: "https://api-int.demo.example:16443",
    address: "127.0.0.1",
  },
  {
    name: "a public name",
    server: "https://api.demo.example:6443",
    internalAddress: "127.0.0.1:16443",
    origin: "https://api.demo.example:6443",
    address: undefined,
  },
];

for (const { name, server, internalAddress, origin, address } of rows)
  test(`${name} is connected at ${address ?? "its own address"} with the origin ${origin}`, () => {
    const kubeconfig = createKubeconfig({ server, clusterName: "c", userName: "u", token: "t" });
    const options = kubeEndpoint(kubeconfig, internalAddress);
    assert.equal(options.origin, origin);
    let found: unknown;
    options.tls.lookup?.("name", { all: false }, (_error, result) => {
      found = result;
    });
    assert.equal(found, address);
  });
