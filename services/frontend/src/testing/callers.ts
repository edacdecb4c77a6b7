import { authorizeBy, listedCertificates } from "@keelson/auth";
import { issueCertificate, type KeyPair, type Logger, systemClock } from "@keelson/base";
import type { TestClient } from "./test-client.ts";
import { startTestFrontend, type TestFrontend } from "./test-frontend.ts";

export interface FrontendWithCallers extends TestFrontend {
  /**
   * Client with an administrator's certificate. The property `client` is a client with the certificate of Azure Resource Manager.
   */
  readonly admin: TestClient;
}

/** Starts a frontend that authenticates its callers by certificate. */
export async function startFrontendWithCallers(logger?: Logger): Promise<FrontendWithCallers> {
  let arm: KeyPair | undefined;
  let administrator: KeyPair | undefined;
  const frontend = await startTestFrontend({
    logger,
    async authorizer(authority) {
      const issue = (commonName: string) =>
        issueCertificate(authority, { commonName, usage: "client", validDays: 1 });
      arm = await issue("arm");
      administrator = await issue("administrator");
      return authorizeBy({
        arm: listedCertificates([arm.certificatePem], systemClock),
        admin: listedCertificates([administrator.certificatePem], systemClock),
      });
    },
  });
  return { ...frontend, client: frontend.connect(arm), admin: frontend.connect(administrator) };
}
