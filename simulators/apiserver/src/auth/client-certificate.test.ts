import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { after, before, describe, test } from "node:test";
import {
  type CertificateFields,
  ExtendedKeyUsage,
  KeyUsageFlags,
  type MadeCertificate,
  makeCertificate,
  pemOf,
  presented,
} from "@keelson/base/testing";
import { TestServer } from "../testing/test-server.ts";
import { ClientAuthorities } from "./client-certificate.ts";

const yesterday = {
  notBefore: new Date(Date.now() - 172_800_000),
  notAfter: new Date(Date.now() - 86_400_000),
};
const tomorrow = {
  notBefore: new Date(Date.now() + 86_400_000),
  notAfter: new Date(Date.now() + 172_800_000),
};

const authority = (fields: Partial<CertificateFields> = {}) =>
  makeCertificate({ commonName: "root", authority: true, ...fields });
const client = (issuer: MadeCertificate, fields: Partial<CertificateFields> = {}) =>
  makeCertificate({
    commonName: "user",
    issuer,
    extendedKeyUsages: [ExtendedKeyUsage.clientAuth],
    ...fields,
  });

interface Row {
  readonly name: string;
  readonly admitted?: boolean;
  readonly root?: Partial<CertificateFields>;
  /** Returns the certificate chain. The user's certificate comes first. */
  readonly chain: (root: MadeCertificate) => Promise<readonly [MadeCertificate, ...MadeCertificate[]]>;
}

const directly: Row["chain"] = async (root) => [await client(root)];

describe("a client certificate with additional certificates", () => {
  let server: TestServer;
  let clusters = 0;
  before(async () => {
    server = await TestServer.start();
  });
  after(() => server[Symbol.asyncDispose]());

  const rows: readonly Row[] = [
    { name: "of the CA itself", admitted: true, chain: directly },
    {
      name: "of a CA with path length 0",
      admitted: true,
      root: { authority: { pathLength: 0 } },
      chain: directly,
    },
    {
      name: "of a CA for clients",
      admitted: true,
      root: { extendedKeyUsages: [ExtendedKeyUsage.clientAuth] },
      chain: directly,
    },
    {
      name: "of a CA for servers only",
      root: { extendedKeyUsages: [ExtendedKeyUsage.serverAuth] },
      chain: directly,
    },
    {
      name: "of a CA that may not sign certificates",
      root: { keyUsages: KeyUsageFlags.cRLSign },
      chain: directly,
    },
    { name: "of a CA for other names", root: { permittedDomain: "other.example" }, chain: directly },
    {
      name: "of a certificate that is not a CA",
      root: { authority: false, keyUsages: KeyUsageFlags.keyCertSign },
      chain: directly,
    },
    { name: "of an expired CA", root: yesterday, chain: directly },
    {
      name: "for servers only",
      chain: async (root) => [await client(root, { extendedKeyUsages: [ExtendedKeyUsage.serverAuth] })],
    },
    {
      name: "with its own name constraints",
      chain: async (root) => [await client(root, { permittedDomain: "other.example" })],
    },
    { name: "that has expired", chain: async (root) => [await client(root, yesterday)] },
    { name: "of tomorrow", chain: async (root) => [await client(root, tomorrow)] },
    {
      name: "of a CA with the same name",
      chain: async () => {
        const namesake = await authority();
        return [await client(namesake), namesake];
      },
    },
    { name: "that is self-signed", chain: async () => [await makeCertificate({ commonName: "user" })] },
    {
      name: "of an intermediate CA",
      chain: async (root) => {
        const intermediate = await authority({ commonName: "intermediate", issuer: root });
        return [await client(intermediate), intermediate];
      },
    },
    {
      name: "of an intermediate that is not a CA",
      chain: async (root) => {
        const pretender = await client(root, { commonName: "pretender" });
        return [await client(pretender), pretender];
      },
    },
  ];
  for (const { name, admitted = false, root: fields, chain } of rows) {
    test(`${name} is ${admitted ? "accepted" : "refused"}`, async () => {
      const root = await authority(fields);
      const cluster = `c${clusters++}`;
      await server.server.createCluster({ name: cluster, clientCertificateAuthorities: [pemOf(root)] });
      const user = await presented(...(await chain(root)));
      const { status, text } = await server.call("GET", `/../${cluster}/api/v1/nodes`, { user });
      // The user has no permissions. 403 therefore means that authentication succeeded, and 401 that it failed.
      assert.equal(status, admitted ? 403 : 401, text);
    });
  }
});

test("the user of a certificate is cached across connections, for a limited number of certificates", async () => {
  const root = await authority();
  const authorities = new ClientAuthorities([pemOf(root)], () => undefined);
  const stranger = new X509Certificate(pemOf(await client(await authority())));
  const made = await Promise.all(
    Array.from({ length: 201 }, (_, at) => client(root, { commonName: `u${at}` })),
  );
  const pems = made.map(pemOf);
  const userOf = (at: number) => authorities.userOf(new X509Certificate(pems[at] ?? ""));
  const first = userOf(0);
  assert.equal(first?.user.name, "u0");
  assert.equal(userOf(0), first);
  for (const at of pems.keys()) assert.equal(userOf(at)?.user.name, `u${at}`);
  assert.notEqual(userOf(0), first);
  for (let times = 0; times < 2; times++) assert.equal(authorities.userOf(stranger), undefined);
});
