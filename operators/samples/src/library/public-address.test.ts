import assert from "node:assert/strict";
import { createServer, get } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { isPublicAddress, lookupPublic } from "./public-address.ts";

test("addresses of the internet, and those that are not", () => {
  const others = `0.0.0.0 10.1.2.3 100.64.0.1 127.0.0.1 127.255.0.1 169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.1
    192.168.1.1 198.18.0.1 224.0.0.1 240.0.0.1 255.255.255.255 :: ::1 fe80::1 fc00::1 fd12::1 ff02::1 ::ffff:127.0.0.1
    ::ffff:8.8.8.8 64:ff9b::a00:1 2001:db8::1 2002:7f00:1:: 2001::1 localhost 1 0x7f000001`;
  const open = "8.8.8.8 140.82.121.4 172.32.0.1 100.128.0.1 2606:50c0:8000::154 2a00:1450:4001:81b::200e";
  assert.deepEqual(
    others.split(/\s+/).filter((each) => isPublicAddress(each)),
    [],
  );
  assert.deepEqual(
    open.split(" ").filter((each) => !isPublicAddress(each)),
    [],
  );
});

test("a name that resolves to a private address is rejected before any connection", async () => {
  let connections = 0;
  const server = createServer().on("connection", () => connections++);
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  const { port } = server.address() as AddressInfo;
  const request = get({ host: "localhost", port, lookup: lookupPublic });
  const error: unknown = await new Promise((resolve) => request.once("error", resolve));
  assert.match(String(error), /localhost is not a host of the internet/);
  assert.equal(connections, 0);
  await new Promise((resolve) => server.close(resolve));
});
