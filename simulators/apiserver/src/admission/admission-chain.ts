import { failures, type KubeObject } from "@keelson/apimachinery";
import type { Admission, AdmissionRequest } from "../resources/admission-request.ts";
import type { AdmissionContext } from "./admission-context.ts";
import { mutateByWebhooks } from "./mutating-webhooks.ts";
import { PluginChain } from "./plugins/plugin-chain.ts";
import { PolicyIndex } from "./policy-index.ts";
import { validateByPolicies } from "./validating-policies.ts";
import { validateByWebhooks } from "./validating-webhooks.ts";
import { WebhookIndex } from "./webhook-index.ts";

/**
 * Resources of admission configurations. Webhooks and policies never apply to them, so a user can always remove a faulty
 * configuration.
 */
const exempt: ReadonlySet<string> = new Set(
  [
    "mutatingwebhookconfigurations",
    "validatingwebhookconfigurations",
    "validatingadmissionpolicies",
    "validatingadmissionpolicybindings",
    "mutatingadmissionpolicies",
    "mutatingadmissionpolicybindings",
  ].map((plural) => `admissionregistration.k8s.io/${plural}`),
);

/**
 * Admission chain of one cluster. In-process checks, built-in plugins and mutating webhooks change the object in this order. Then
 * the in-process checks and the plugins validate the final object. Policies and validating webhooks run last.
 */
export class AdmissionChain implements Admission {
  readonly #context: AdmissionContext;
  readonly #mutating: WebhookIndex;
  readonly #validating: WebhookIndex;
  readonly #policies: PolicyIndex;
  readonly #plugins: PluginChain;
  readonly #added: Admission[] = [];

  constructor(context: AdmissionContext) {
    this.#context = context;
    this.#mutating = new WebhookIndex(context, "mutatingwebhookconfigurations");
    this.#validating = new WebhookIndex(context, "validatingwebhookconfigurations");
    this.#policies = new PolicyIndex(context);
    this.#plugins = new PluginChain(context);
  }

  /**
   * Adds an in-process admission check. In-process checks run before plugins, policies and webhooks, in the order in which they
   * were added.
   */
  add(admission: Admission): void {
    this.#added.push(admission);
  }

  handles(request: AdmissionRequest): boolean {
    if (this.#added.some((each) => each.handles(request))) return true;
    if (exempt.has(request.resource.bucket)) return false;
    return (
      this.#plugins.handles(request) ||
      this.#mutating.candidates(request).length > 0 ||
      this.#policies.candidates(request).length > 0 ||
      this.#validating.candidates(request).length > 0
    );
  }

  async mutate(request: AdmissionRequest): Promise<KubeObject> {
    let current = request;
    for (const admission of this.#added) {
      if (admission.handles(current)) current = { ...current, object: await admission.mutate(current) };
    }
    current = await this.#plugins.mutate(current);
    const object = exempt.has(request.resource.bucket)
      ? current.object
      : await mutateByWebhooks(this.#context, this.#mutating, current);
    // A deletion has no new object, so the old object is returned.
    const left = object ?? request.oldObject;
    if (!left) throw failures.badRequest("admission returned no object");
    return left;
  }

  async validate(request: AdmissionRequest): Promise<void> {
    for (const admission of this.#added) if (admission.handles(request)) await admission.validate(request);
    await this.#plugins.validate(request);
    if (exempt.has(request.resource.bucket)) return;
    await validateByPolicies(this.#context, this.#policies, request);
    await validateByWebhooks(this.#context, this.#validating, request);
  }
}
