import { createServer, type Server } from "node:https";
import { parseJson, scalarStringAt } from "@keelson/apimachinery";
import { createCertificateAuthority, issueCertificate, type KeyPair, valueAt } from "@keelson/base";

interface Certificates {
  readonly authority: KeyPair;
  readonly tls: KeyPair;
}

let certificates: Promise<Certificates> | undefined;

/** Creates the CA and the serving certificate. Each test process creates them once. */
async function newCertificates(): Promise<Certificates> {
  const authority = await createCertificateAuthority("webhooks", 2);
  const tls = await issueCertificate(authority, {
    commonName: "hook.ops.svc",
    dnsNames: ["hook.ops.svc"],
    ipAddresses: ["127.0.0.1"],
    usage: "server",
    validDays: 1,
  });
  return { authority, tls };
}

/** Returns the response to a review request. If the result is undefined, the webhook sends no response. */
export type Response = (
  request: unknown,
) => Readonly<Record<string, unknown>> | undefined | Promise<Readonly<Record<string, unknown>>>;

/** HTTPS webhook server for tests. Each path has its own response. */
export class TestWebhook implements AsyncDisposable {
  readonly caBundle: string;
  /** All received review requests, oldest first. */
  readonly requests: unknown[] = [];
  readonly #server: Server;
  readonly #responses: Readonly<Record<string, Response>>;

  private constructor(responses: Readonly<Record<string, Response>>, { authority, tls }: Certificates) {
    this.caBundle = Buffer.from(authority.certificatePem).toString("base64");
    this.#responses = responses;
    this.#server = createServer(
      { cert: tls.certificatePem, key: tls.privateKeyPem },
      async (incoming, response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of incoming) chunks.push(chunk);
        const review = parseJson(Buffer.concat(chunks).toString());
        const request = valueAt(review, "request");
        this.requests.push(request);
        const answer = await this.#responses[(incoming.url ?? "").split("?")[0] ?? ""]?.(request);
        if (!answer) return;
        response.setHeader("content-type", "application/json");
        response.end(
          JSON.stringify({
            apiVersion: scalarStringAt(review, "apiVersion"),
            kind: scalarStringAt(review, "kind"),
            response: { uid: scalarStringAt(request, "uid"), ...answer },
          }),
        );
      },
    );
  }

  static async start(responses: Readonly<Record<string, Response>>): Promise<TestWebhook> {
    certificates ??= newCertificates();
    const webhook = new TestWebhook(responses, await certificates);
    const { promise, resolve } = Promise.withResolvers<void>();
    webhook.#server.listen(0, "127.0.0.1", resolve);
    await promise;
    return webhook;
  }

  get port(): number {
    const address = this.#server.address();
    return typeof address === "object" && address ? address.port : 0;
  }

  /** Returns an entry for `webhooks` in a webhook configuration, with the given rule. */
  entry(
    path: string,
    rule: Readonly<Record<string, unknown>>,
    more: Readonly<Record<string, unknown>> = {},
  ): object {
    return {
      name: `${path.slice(1)}.example.com`,
      clientConfig: { url: `https://127.0.0.1:${this.port}${path}`, caBundle: this.caBundle },
      rules: [{ operations: ["*"], apiGroups: ["*"], apiVersions: ["*"], ...rule }],
      sideEffects: "None",
      admissionReviewVersions: ["v1"],
      ...more,
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** Returns a webhook response with a JSON patch. */
export function patching(...operations: readonly object[]): Readonly<Record<string, unknown>> {
  return {
    allowed: true,
    patchType: "JSONPatch",
    patch: Buffer.from(JSON.stringify(operations)).toString("base64"),
  };
}

/** Returns a mutating or validating webhook configuration. */
export function configuration(
  kind: "Mutating" | "Validating",
  name: string,
  ...webhooks: readonly object[]
): object {
  return {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: `${kind}WebhookConfiguration`,
    metadata: { name },
    webhooks,
  };
}
