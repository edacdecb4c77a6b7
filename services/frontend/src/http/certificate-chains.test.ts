import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { authorizeBy, namedCertificates } from "@keelson/auth";
import { systemClock } from "@keelson/base";
import {
  type CertificateFields,
  ExtendedKeyUsage,
  KeyUsageFlags,
  type MadeCertificate,
  makeCertificate,
  pemOf,
  presented,
} from "@keelson/base/testing";
import { startTestFrontend, type TestFrontend } from "../testing/test-frontend.ts";

const commonName = "admin.example.org";
const operations = "/providers/Microsoft.RedHatOpenShift/operations?api-version=2025-07-25";
const yesterday = {
  notBefore: new Date(Date.now() - 172_800_000),
  notAfter: new Date(Date.now() - 86_400_000),
};
const tomorrow = {
  notBefore: new Date(Date.now() + 86_400_000),
  notAfter: new Date(Date.now() + 172_800_000),
};

describe("a chain of certificates over TLS", () => {
  let root: MadeCertificate;
  let frontend: TestFrontend;

  before(async () => {
    root = await makeCertificate({ commonName: "root", authority: true });
    const rule = () => namedCertificates({ commonName, authorityPems: [pemOf(root)], clock: systemClock });
    frontend = await startTestFrontend({
      authorizer: async () => authorizeBy({ arm: rule(), admin: rule() }),
    });
  });
  after(() => frontend[Symbol.asyncDispose]());

  const below = (issuer: MadeCertificate, fields: Partial<CertificateFields> = {}) =>
    makeCertificate({ commonName: "intermediate", authority: true, issuer, ...fields });
  const client = (issuer: MadeCertificate, fields: Partial<CertificateFields> = {}) =>
    makeCertificate({
      commonName,
      issuer,
      extendedKeyUsages: [ExtendedKeyUsage.clientAuth],
      dnsNames: [commonName],
      ...fields,
    });

  const chains: readonly {
    readonly name: string;
    readonly admitted?: boolean;
    /** Certificate chain, starting with the caller's own certificate. */
    readonly chain: () => Promise<readonly [MadeCertificate, ...MadeCertificate[]]>;
  }[] = [
    { name: "one of the authority itself", admitted: true, chain: async () => [await client(root)] },
    {
      name: "one without extended key usage",
      admitted: true,
      chain: async () => {
        const intermediate = await below(root);
        const { extendedKeyUsages: _, ...fields } = {
          commonName,
          issuer: intermediate,
          extendedKeyUsages: [],
        };
        return [await makeCertificate(fields), intermediate];
      },
    },
    {
      name: "one by way of two intermediates within their path lengths and names",
      admitted: true,
      chain: async () => {
        const upper = await below(root, { authority: { pathLength: 1 }, permittedDomain: "example.org" });
        const lower = await below(upper, { authority: { pathLength: 0 }, commonName: "lower" });
        return [await client(lower), lower, upper];
      },
    },
    {
      name: "intermediates in another order",
      admitted: true,
      chain: async () => {
        const upper = await below(root);
        const lower = await below(upper, { commonName: "lower" });
        return [await client(lower), upper, lower];
      },
    },
    {
      name: "an intermediate below one of path length 0",
      chain: async () => {
        const upper = await below(root, { authority: { pathLength: 0 } });
        const lower = await below(upper, { commonName: "lower" });
        return [await client(lower), lower, upper];
      },
    },
    {
      name: "an intermediate that may not sign certificates",
      chain: async () => {
        const intermediate = await below(root, { keyUsages: KeyUsageFlags.cRLSign });
        return [await client(intermediate), intermediate];
      },
    },
    {
      name: "an intermediate that is no authority",
      chain: async () => {
        const pretender = await below(root, { authority: false, keyUsages: KeyUsageFlags.keyCertSign });
        return [await client(pretender), pretender];
      },
    },
    {
      name: "an intermediate for servers only",
      chain: async () => {
        const intermediate = await below(root, { extendedKeyUsages: [ExtendedKeyUsage.serverAuth] });
        return [await client(intermediate), intermediate];
      },
    },
    {
      name: "a certificate for servers only",
      chain: async () => [await client(root, { extendedKeyUsages: [ExtendedKeyUsage.serverAuth] })],
    },
    {
      name: "a certificate whose key may encipher only",
      chain: async () => [await client(root, { keyUsages: KeyUsageFlags.keyEncipherment })],
    },
    {
      name: "a name outside of an intermediate's names",
      chain: async () => {
        const intermediate = await below(root, { permittedDomain: "other.example" });
        return [await client(intermediate), intermediate];
      },
    },
    {
      name: "a common name outside of an intermediate's names, without alternative names",
      chain: async () => {
        const intermediate = await below(root, { permittedDomain: "other.example" });
        return [await makeCertificate({ commonName, issuer: intermediate }), intermediate];
      },
    },
    {
      name: "an expired intermediate",
      chain: async () => {
        const intermediate = await below(root, yesterday);
        return [await client(intermediate), intermediate];
      },
    },
    { name: "an expired certificate", chain: async () => [await client(root, yesterday)] },
    { name: "a certificate of tomorrow", chain: async () => [await client(root, tomorrow)] },
    { name: "another common name", chain: async () => [await client(root, { commonName: "x.example.org" })] },
    { name: "an authority with the name", chain: async () => [await client(root, { authority: true })] },
    {
      name: "an authority of the same name",
      chain: async () => {
        const namesake = await makeCertificate({ commonName: "root", authority: true });
        return [await client(namesake), namesake];
      },
    },
    { name: "a self-signed certificate", chain: async () => [await makeCertificate({ commonName })] },
    {
      name: "an intermediate that was not sent along",
      chain: async () => [await client(await below(root))],
    },
  ];
  for (const { name, admitted = false, chain } of chains) {
    test(`${name}: ${admitted ? "admitted" : "refused"}`, async () => {
      using caller = frontend.connect(await presented(...(await chain())));
      const { status } = await caller.get(operations);
      assert.equal(status, admitted ? 200 : 403);
    });
  }
});
