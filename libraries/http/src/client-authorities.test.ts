import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, createServer as createTcpServer, connect as tcpConnect } from "node:net";
import { after, before, describe, test } from "node:test";
import {
  connect,
  createServer,
  getCACertificates,
  type Server,
  setDefaultCACertificates,
  type TLSSocket,
  type TlsOptions,
} from "node:tls";
import { createCertificateAuthority, issueCertificate, type KeyPair, systemClock } from "@keelson/base";
import { verifyingClients } from "./client-authorities.ts";
import { HttpsListener } from "./https-listener.ts";

describe("the CA certificates of clients", () => {
  let authority: KeyPair;
  let other: KeyPair;
  let server: KeyPair;
  let client: KeyPair;
  let stranger: KeyPair;
  const defaults = getCACertificates("default");

  const fingerprint = (pem: string) => new X509Certificate(pem).fingerprint256;
  const trusted = () => new Set(getCACertificates("default").map(fingerprint));

  before(async () => {
    authority = await createCertificateAuthority("client CA", 1);
    other = await createCertificateAuthority("different CA", 1);
    server = await issueCertificate(other, { commonName: "server", usage: "server", validDays: 1 });
    client = await issueCertificate(authority, { commonName: "client", usage: "client", validDays: 1 });
    stranger = await issueCertificate(other, { commonName: "client", usage: "client", validDays: 1 });
  });
  after(() => setDefaultCACertificates(defaults));

  const options = (): TlsOptions => ({
    cert: server.certificatePem,
    key: server.privateKeyPem,
    requestCert: true,
    rejectUnauthorized: false,
  });

  async function listening(made: Server): Promise<Disposable & { readonly port: number }> {
    made.listen(0, "127.0.0.1");
    await once(made, "listening");
    return { port: (made.address() as AddressInfo).port, [Symbol.dispose]: () => void made.close() };
  }

  /** True if the server verified the certificate of a client that presents `pair`. */
  async function isAuthorized(made: Server, port: number, pair?: KeyPair): Promise<boolean> {
    const accepted = once(made, "secureConnection");
    const credentials = pair ? { cert: pair.certificatePem, key: pair.privateKeyPem } : {};
    const socket = connect({ host: "127.0.0.1", port, rejectUnauthorized: false, ...credentials });
    const [seen]: TLSSocket[] = await accepted;
    socket.destroy();
    return seen?.authorized ?? false;
  }

  test("are no others, also when this process trusts those for its own requests", async () => {
    setDefaultCACertificates([...defaults, other.certificatePem]);
    const made = verifyingClients([authority.certificatePem], () => createServer(options()));
    assert.ok(trusted().has(fingerprint(other.certificatePem)));
    assert.equal(trusted().size, new Set(defaults.map(fingerprint)).size + 1);
    using running = await listening(made);
    assert.equal(await isAuthorized(made, running.port, client), true);
    assert.equal(await isAuthorized(made, running.port, stranger), false);
    assert.equal(await isAuthorized(made, running.port), false);
  });

  test("stay after a renewal of the server's certificate", async () => {
    await using listener = new HttpsListener(
      {
        tls: server,
        limits: { clock: systemClock },
        headersMs: 10_000,
        requestMs: 0,
        clientAuthorities: [authority.certificatePem],
      },
      () => undefined,
    );
    await listener.listen("127.0.0.1", 0);
    for (let round = 0; round < 2; round++) {
      assert.equal(await isAuthorized(listener.server, listener.port, client), true);
      assert.equal(await isAuthorized(listener.server, listener.port, stranger), false);
      listener.useCertificate(server);
    }
  });

  test("are not sent to clients, which may have a certificate of a different issuer", async () => {
    const request = async (made: Server): Promise<string> => {
      using running = await listening(made);
      const received: Buffer[] = [];
      const relay = createTcpServer((near) => {
        const far = tcpConnect(running.port, "127.0.0.1");
        far.on("data", (chunk: Buffer) => received.push(chunk));
        near.pipe(far).pipe(near);
        near.on("error", () => far.destroy());
        far.on("error", () => near.destroy());
      }).listen(0, "127.0.0.1");
      await once(relay, "listening");
      const { port } = relay.address() as AddressInfo;
      // Uses TLS 1.2, because its certificate request is not encrypted and can be read on the wire.
      const socket = connect({ host: "127.0.0.1", port, rejectUnauthorized: false, maxVersion: "TLSv1.2" });
      await once(socket, "secureConnect");
      socket.destroy();
      relay.close();
      return Buffer.concat(received).toString("latin1");
    };
    const { certificatePem } = authority;
    assert.match(
      await request(createServer({ ...options(), ca: certificatePem })),
      /client CA/,
      "the wire shows the names of a server with `ca`",
    );
    const made = verifyingClients([certificatePem], () => createServer(options()));
    assert.doesNotMatch(await request(made), /client CA/);
  });

  test("are the default ones again when a server cannot be made", () => {
    setDefaultCACertificates(defaults);
    assert.throws(() =>
      verifyingClients([authority.certificatePem], () => {
        throw new Error("no");
      }),
    );
    assert.deepEqual(trusted(), new Set(defaults.map(fingerprint)));
  });
});
