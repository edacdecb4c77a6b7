import type { JsonObject } from "@keelson/base";
import { type ArmResponse, ok } from "../arm/exchange.ts";
import { at, members, nonEmptyStringAt } from "../base/json.ts";
import { readCertificateFile } from "./certificate-files.ts";
import { serveIssuers } from "./certificate-issuers.ts";
import { addCertificate, beginCertificate } from "./certificate-making.ts";
import { type CertificateOperation, CertificateOperations } from "./certificate-operations.ts";
import { completePolicy } from "./certificate-policy.ts";
import { leafOf } from "./certificate-signing.ts";
import { type Collection, commonResponse, idOf, shapeOf, shownAttributes } from "./object-routes.ts";
import type { Vault } from "./vault.ts";
import { badParameter, VaultError } from "./vault-error.ts";
import { recoverableDays } from "./vault-objects.ts";
import type { VaultRequest } from "./vault-request.ts";
import type { CertificateContent } from "./vault-row.ts";
import { readChange, requireBody } from "./version-request.ts";

/** Handles all requests below `/certificates` and `/deletedcertificates`. @throws VaultError */
export async function serveCertificates(
  vault: Vault,
  path: readonly string[],
  request: VaultRequest,
): Promise<ArmResponse | undefined> {
  const operations = new CertificateOperations(vault.name, vault.store);
  const certificates = collectionOf(vault, operations, request);
  const [directory, name = "", part] = path;
  if (directory?.toLowerCase() !== "certificates") {
    return vault.store.transaction(() => commonResponse(certificates, path, request));
  }
  if (name.toLowerCase() === "issuers") return serveIssuers(vault, part, request);
  const shape = shapeOf(path, ["create", "import", "pending", "policy", "versions", "recover"]);
  const shown = (operation: CertificateOperation) => ok(renderOperation(name, operation, request));
  switch (`${request.method} ${shape}`) {
    case "POST name/create": {
      const policy = completePolicy(at(requireBody(request.body), "policy"), operations.policyOf(name));
      const operation = await beginCertificate(vault, name, policy, readChange(request.body));
      return { ...shown(operation), status: 202 };
    }
    case "GET name": {
      const operation = vault.certificates.find(name) ? undefined : operations.find(name);
      if (operation) return ok(unsigned(name, operation, request));
      break;
    }
    case "GET name/pending":
      return shown(operations.get(name));
    case "PATCH name/pending": {
      const operation = operations.get(name);
      if (at(request.body, "cancellation_requested") !== true || operation.status !== "inProgress") {
        throw badParameter("Only an operation in progress is cancelled, with cancellation_requested.");
      }
      return vault.store.transaction(() => {
        operations.set(name, { ...operation, status: "cancelled" });
        return shown({ ...operation, status: "cancelled" });
      });
    }
    case "DELETE name/pending":
      return vault.store.transaction(() => {
        const operation = operations.get(name);
        operations.delete(name);
        return shown(operation);
      });
    case "POST name/pending/merge":
      return merge(vault, operations, certificates, name, request);
    case "POST name/import":
      return importCertificate(vault, operations, certificates, name, request);
    case "GET name/policy":
      return ok(shownPolicy(vault, operations, name, request));
    case "PATCH name/policy": {
      vault.certificates.get(name);
      const policy = completePolicy(requireBody(request.body), operations.policyOf(name));
      return vault.store.transaction(() => {
        operations.setPolicy(name, policy);
        return ok(shownPolicy(vault, operations, name, request));
      });
    }
  }
  return vault.store.transaction(() => commonResponse(certificates, path, request));
}

/** Returns a certificate that is not signed yet. The certificate is disabled and contains a link to the pending operation. */
function unsigned(
  name: string,
  { requestId, policy }: CertificateOperation,
  request: VaultRequest,
): JsonObject {
  return {
    id: idOf(request, "certificates", name, requestId),
    kid: idOf(request, "keys", name, requestId),
    sid: idOf(request, "secrets", name, requestId),
    attributes: { enabled: false, recoveryLevel: "Recoverable+Purgeable", recoverableDays },
    policy: { id: policyId(request, name), ...policy },
    pending: { id: idOf(request, "certificates", name, "pending") },
  };
}

/** Stores a certificate that an external CA has signed for the pending request. */
function merge(
  vault: Vault,
  operations: CertificateOperations,
  certificates: Collection<CertificateContent>,
  name: string,
  request: VaultRequest,
): ArmResponse {
  const operation = operations.get(name);
  const chain = at(request.body, "x5c");
  if (operation.status !== "inProgress" || !Array.isArray(chain) || chain.length === 0) {
    throw badParameter("Property x5c is missing, or nothing waits to be merged.");
  }
  const chainPem = chain
    .map((each) => `-----BEGIN CERTIFICATE-----\n${String(each)}\n-----END CERTIFICATE-----\n`)
    .join("");
  const file = readCertificateFile(`${operation.privateKeyPem}${chainPem}`, "");
  return vault.store.transaction(() => {
    const version = addCertificate(vault, name, file, operation.policy, operation.change);
    operations.set(name, { ...operation, status: "completed" });
    return { ...ok(certificates.bundle(vault.certificates.get(name), version)), status: 201 };
  });
}

function importCertificate(
  vault: Vault,
  operations: CertificateOperations,
  certificates: Collection<CertificateContent>,
  name: string,
  request: VaultRequest,
): ArmResponse {
  const body = requireBody(request.body);
  vault.certificates.checkName(name);
  const file = readCertificateFile(
    nonEmptyStringAt(body, "value") ?? "",
    nonEmptyStringAt(body, "pwd") ?? "",
  );
  const { certificate } = leafOf(file.chainPem);
  const kind = certificate.publicKey.asymmetricKeyType === "ec" ? "EC" : "RSA";
  const contentType = file.isPem ? "application/x-pem-file" : "application/x-pkcs12";
  const policy = completePolicy({
    ...members(body.policy),
    issuer: { name: "Unknown" },
    key_props: { exportable: true, kty: kind, ...members(at(body, "policy", "key_props")) },
    secret_props: { contentType },
    x509_props: { subject: certificate.subject.split("\n").reverse().join(", ") },
  });
  return vault.store.transaction(() => {
    operations.setPolicy(name, policy);
    const version = addCertificate(vault, name, file, policy, readChange(body));
    return ok(certificates.bundle(vault.certificates.get(name), version));
  });
}

function collectionOf(
  vault: Vault,
  operations: CertificateOperations,
  request: VaultRequest,
): Collection<CertificateContent> {
  const item: Collection<CertificateContent>["item"] = (id, version) => ({
    id,
    x5t: leafOf(version.chainPem).thumbprint,
    attributes: shownAttributes(version),
    ...(version.tags === undefined ? {} : { tags: version.tags }),
  });
  return {
    name: "certificates",
    objects: vault.certificates,
    item,
    bundle: (row, version) => ({
      ...item(idOf(request, "certificates", row.name, version.id), version),
      kid: idOf(request, "keys", row.name, version.id),
      sid: idOf(request, "secrets", row.name, version.id),
      cer: leafOf(version.chainPem).der.toString("base64"),
      policy: { id: policyId(request, row.name), ...operations.policyOf(row.name) },
      ...(operations.find(row.name)
        ? { pending: { id: idOf(request, "certificates", row.name, "pending") } }
        : {}),
    }),
    contentChange: () => ({}),
    along(name, way) {
      for (const objects of [vault.keys, vault.secrets]) if (objects.find(name)) objects[way](name);
      if (way === "recover") return;
      operations.delete(name);
      if (way === "purge") operations.deletePolicy(name);
    },
  };
}

function renderOperation(name: string, operation: CertificateOperation, request: VaultRequest): JsonObject {
  const { status, requestId, csr, policy } = operation;
  const details: Readonly<Record<typeof status, string>> = {
    inProgress: "Pending certificate created. Certificate request is in progress.",
    completed: "",
    cancelled: "The certificate operation was cancelled.",
  };
  return {
    id: idOf(request, "certificates", name, "pending"),
    issuer: policy.issuer,
    csr,
    cancellation_requested: status === "cancelled",
    status,
    ...(details[status] === "" ? {} : { status_details: details[status] }),
    ...(status === "completed" ? { target: idOf(request, "certificates", name) } : {}),
    request_id: requestId,
  };
}

function shownPolicy(
  { certificates }: Vault,
  operations: CertificateOperations,
  name: string,
  request: VaultRequest,
): JsonObject {
  const policy = operations.policyOf(name);
  if (policy) return { id: policyId(request, name), ...policy };
  certificates.get(name);
  throw new VaultError(404, "PolicyNotFound", `Policy not found: ${name}`);
}

function policyId(request: VaultRequest, name: string): string {
  return idOf(request, "certificates", name, "policy");
}
