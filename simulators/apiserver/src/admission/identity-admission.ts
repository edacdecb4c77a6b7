import { isDeepStrictEqual } from "node:util";
import { failures, type KubeObject, type StatusCause, scalarStringAt } from "@keelson/apimachinery";
import { type Clock, readCertificateRequest, valueAt } from "@keelson/base";
import type { RbacAuthorizer } from "../auth/rbac.ts";
import { clientSigner } from "../auth/signers.ts";
import { administrator, superusers } from "../auth/user.ts";
import type { Admission, AdmissionRequest } from "../resources/admission-request.ts";
import { timestamp } from "../resources/registry-context.ts";
import { changeCauses, changedRequest, newRequestCauses, requestedBy } from "./certificate-request-rules.ts";
import { confirmNoEscalation, mayEscalate } from "./escalation.ts";

const group = "certificates.k8s.io";
const requests = { group, resource: "certificatesigningrequests" };
const requestBucket = `${group}/certificatesigningrequests`;

export interface IdentityAdmissionDeps {
  readonly clock: Clock;
  readonly authorizer: RbacAuthorizer;
}

/** Identity checks of every cluster. They cover RBAC escalation and certificate signing requests. */
export class IdentityAdmission implements Admission {
  readonly #deps: IdentityAdmissionDeps;

  constructor(deps: IdentityAdmissionDeps) {
    this.#deps = deps;
  }

  handles(request: AdmissionRequest): boolean {
    return concernsRequest(request) || mayEscalate(request);
  }

  async mutate(request: AdmissionRequest): Promise<KubeObject> {
    const { object, oldObject, subresource, user } = request;
    if (!object) throw failures.badRequest("admission returned no object");
    if (!concernsRequest(request)) return object;
    const now = timestamp(this.#deps.clock);
    return oldObject ? changedRequest(object, oldObject, subresource, now) : requestedBy(object, user);
  }

  async validate(request: AdmissionRequest): Promise<void> {
    const { object, oldObject } = request;
    if (mayEscalate(request)) await confirmNoEscalation(this.#deps.authorizer, request);
    if (!object || !concernsRequest(request)) return;
    if (oldObject) this.#checkChange(request, object, oldObject);
    else await checkNew(object);
  }

  #checkChange(request: AdmissionRequest, object: KubeObject, oldObject: KubeObject): void {
    const { user, subresource } = request;
    const name = object.metadata.name;
    const signer = scalarStringAt(oldObject, "spec", "signerName");
    if (subresource === "approval" && !this.#maySign(request, "approve", signer)) {
      const why = `user not permitted to approve requests with signerName ${JSON.stringify(signer)}`;
      throw failures.forbidden(requests, name, why);
    }
    if (subresource === "status" && signs(object, oldObject) && !this.#maySign(request, "sign", signer)) {
      const why = `user not permitted to sign requests with signerName ${JSON.stringify(signer)}`;
      throw failures.forbidden(requests, name, why);
    }
    // The built-in certificate controller approves requests with a write of `status`. This write is validated like a write of
    // `approval`.
    const part = user === administrator && subresource === "status" ? "approval" : subresource;
    const causes = changeCauses(object, oldObject, part).filter(
      ({ field }) => user !== administrator || field !== "status.certificate",
    );
    refuse(name, causes);
  }

  /** True if the user has the verb for this signer or for all signers in the signer's domain. */
  #maySign({ user }: AdmissionRequest, verb: string, signer: string): boolean {
    if (user.groups.includes(superusers)) return true;
    const domain = signer.slice(0, signer.indexOf("/"));
    return [signer, `${domain}/*`].some((name) =>
      this.#deps.authorizer.allows(user, {
        kind: "resource",
        verb,
        group,
        resource: "signers",
        namespace: "",
        name,
      }),
    );
  }
}

function concernsRequest({ operation, resource }: AdmissionRequest): boolean {
  return resource.bucket === requestBucket && (operation === "CREATE" || operation === "UPDATE");
}

/** True if a write sets the certificate or the conditions. Only a signer may change these fields. */
function signs(object: KubeObject, oldObject: KubeObject): boolean {
  return ["certificate", "conditions"].some(
    (member) => !isDeepStrictEqual(valueAt(object, "status", member), valueAt(oldObject, "status", member)),
  );
}

async function checkNew(request: KubeObject): Promise<void> {
  const { name } = request.metadata;
  refuse(name, await newRequestCauses(request));
  if (scalarStringAt(request, "spec", "signerName") !== clientSigner) return;
  const pem = Buffer.from(scalarStringAt(request, "spec", "request"), "base64").toString();
  const { organizations } = await readCertificateRequest(pem);
  if (!organizations.includes(superusers)) return;
  const why = `use of ${clientSigner} signer with ${superusers} group is not allowed`;
  throw failures.forbidden(requests, name, why);
}

function refuse(name: string, causes: readonly StatusCause[]): void {
  if (causes.length > 0) throw failures.invalid({ group, kind: "CertificateSigningRequest" }, name, causes);
}
