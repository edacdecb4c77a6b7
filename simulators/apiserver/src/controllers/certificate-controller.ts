import { conditionOf, ignoreGone, type KubeObject, scalarStringAt } from "@keelson/apimachinery";
import {
  type CertificateRequestSubject,
  listAt,
  objectAt,
  readCertificateRequest,
  signCertificateRequest,
  stringsAt,
  valueAt,
} from "@keelson/base";
import type { ClusterKeys } from "../auth/cluster-keys.ts";
import type { RbacAuthorizer } from "../auth/rbac.ts";
import { kubeletClientSigner, signerCheck, usageTerms } from "../auth/signers.ts";
import { modifyObject } from "../registry/modify.ts";
import { type RegistryContext, timestamp } from "../resources/registry-context.ts";
import type { StoreEvent } from "../storage/revision-store.ts";
import type { AddKey, StoreController } from "./store-controller.ts";

const group = "certificates.k8s.io";
const requests = { group, version: "v1", resource: "certificatesigningrequests" };
const bucket = `${group}/certificatesigningrequests`;
const yearSeconds = 365 * 86_400;
const minSeconds = 600;
/**
 * Number of seconds by which a certificate's validity starts before the time of issue. The early start helps peers with slow
 * clocks. The validity of long-lived certificates also ends earlier by this number of seconds.
 */
const backdateSeconds = 300;
const shortSeconds = 8 * 3_600;

export interface CertificateControllerDeps {
  readonly keys: ClusterKeys;
  readonly authorizer: RbacAuthorizer;
}

/**
 * Signs approved certificate requests for the kubernetes.io signers. Approves a kubelet's request if the requester may create
 * `certificatesigningrequests/nodeclient` or `.../selfnodeclient`.
 */
export class CertificateController implements StoreController {
  readonly name = "certificates";
  readonly #context: RegistryContext;
  readonly #deps: CertificateControllerDeps;

  constructor(context: RegistryContext, deps: CertificateControllerDeps) {
    this.#context = context;
    this.#deps = deps;
  }

  resume(add: AddKey): void {
    for (const { key } of this.#context.store.range(bucket, "")) add(key);
  }

  observe({ bucket: changed, current, deleted }: StoreEvent, add: AddKey): void {
    if (changed === bucket && !deleted) add(current.key);
  }

  async reconcile(name: string): Promise<undefined> {
    const request = this.#context.store.get(bucket, name)?.object;
    if (!request || scalarStringAt(request, "status", "certificate")) return;
    const check = signerCheck(scalarStringAt(request, "spec", "signerName"));
    if (!check || has(request, "Denied") || has(request, "Failed")) return;
    const pem = Buffer.from(scalarStringAt(request, "spec", "request"), "base64").toString();
    const subject = await readCertificateRequest(pem);
    const problem = check(subject, stringsAt(request, "spec", "usages"));
    if (!has(request, "Approved")) {
      if (!problem) await this.#approve(request, subject);
      return;
    }
    if (problem) {
      await this.#addCondition(name, "Failed", "SignerValidationFailure", problem);
      return;
    }
    const certificate = Buffer.from(await this.#sign(request, pem)).toString("base64");
    await this.#setStatus(name, (status) => ({ ...status, certificate }));
  }

  async #approve(request: KubeObject, subject: CertificateRequestSubject): Promise<void> {
    if (scalarStringAt(request, "spec", "signerName") !== kubeletClientSigner) return;
    const own = scalarStringAt(request, "spec", "username") === subject.commonName;
    const name = request.metadata.name;
    if (own && this.#mayCreate(request, "selfnodeclient")) {
      const why = "Auto approving self kubelet client certificate after SubjectAccessReview.";
      await this.#addCondition(name, "Approved", "AutoApproved", why);
    } else if (this.#mayCreate(request, "nodeclient")) {
      const why = "Auto approving kubelet client certificate after SubjectAccessReview.";
      await this.#addCondition(name, "Approved", "AutoApproved", why);
    }
  }

  #mayCreate(request: KubeObject, subresource: string): boolean {
    const author = {
      name: scalarStringAt(request, "spec", "username"),
      groups: stringsAt(request, "spec", "groups"),
    };
    const resource = `${requests.resource}/${subresource}`;
    return this.#deps.authorizer.allows(author, {
      kind: "resource",
      verb: "create",
      group,
      resource,
      namespace: "",
      name: "",
    });
  }

  async #sign(request: KubeObject, pem: string): Promise<string> {
    const authority = await this.#deps.keys.certificateSigner();
    const asked = valueAt(request, "spec", "expirationSeconds");
    const seconds =
      typeof asked === "number" ? Math.min(Math.max(asked, minSeconds), yearSeconds) : yearSeconds;
    const now = this.#context.clock.now().getTime();
    const end = seconds < shortSeconds ? seconds : seconds - backdateSeconds;
    return signCertificateRequest(authority, pem, {
      notBefore: new Date(now - backdateSeconds * 1_000),
      notAfter: new Date(now + end * 1_000),
      ...usageTerms(stringsAt(request, "spec", "usages")),
    });
  }

  async #addCondition(name: string, type: string, reason: string, message: string): Promise<void> {
    const now = timestamp(this.#context.clock);
    const condition = { type, status: "True", reason, message, lastUpdateTime: now, lastTransitionTime: now };
    await this.#setStatus(name, (status) => ({
      ...status,
      conditions: [...listAt(status, "conditions"), condition],
    }));
  }

  async #setStatus(
    name: string,
    change: (status: Readonly<Record<string, unknown>>) => object,
  ): Promise<void> {
    const resource = this.#context.directory.get(requests);
    const apply = (current: KubeObject) => ({ ...current, status: change(objectAt(current, "status")) });
    const options = { subresource: "status", fieldManager: "kube-controller-manager" };
    await modifyObject(this.#context, resource, name, "status", apply, options).catch(ignoreGone);
  }
}

function has(request: KubeObject, condition: string): boolean {
  return conditionOf(request, condition) !== undefined;
}
