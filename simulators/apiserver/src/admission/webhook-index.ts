import { failures } from "@keelson/apimachinery";
import { messageOf } from "@keelson/base";
import { CostBudget } from "@keelson/cel";
import type { AdmissionRequest } from "../resources/admission-request.ts";
import { subjectOf } from "../resources/served-resource.ts";
import type { AdmissionContext } from "./admission-context.ts";
import { allHold } from "./configuration/match-conditions.ts";
import type { Target } from "./configuration/rule.ts";
import { selects } from "./configuration/selectors.ts";
import { isNamed, type Match, matchOf } from "./configuration/subject-version.ts";
import { type Webhook, webhooksOf } from "./configuration/webhook.ts";
import { requestBindings } from "./request-variables.ts";

/** Webhook of a configuration. `match` contains the rules that match a target. */
export interface Candidate {
  readonly webhook: Webhook;
  readonly match: Match;
}

/** CEL cost limit of one webhook's match conditions, as in Kubernetes. The limit is a quarter of a policy's limit. */
const costLimit = 2_500_000;
const none: readonly Candidate[] = [];

/**
 * Index of webhooks by target. The index contains the webhooks of all configurations of one kind. A configuration change rebuilds
 * the index.
 */
export class WebhookIndex {
  readonly #context: AdmissionContext;
  readonly #bucket: string;
  #revision = 0;
  #directoryRevision = -1;
  #webhooks: readonly Webhook[] = [];
  #byTarget = new Map<string, readonly Candidate[]>();

  constructor(context: AdmissionContext, plural: string) {
    this.#context = context;
    this.#bucket = `admissionregistration.k8s.io/${plural}`;
  }

  /** Returns the webhooks with rules that match a target, in call order. */
  candidates(target: Target): readonly Candidate[] {
    const { store, directory } = this.#context;
    const revision = store.lastRevision(this.#bucket);
    if (revision === 0) return none;
    if (revision !== this.#revision) {
      this.#revision = revision;
      // The store returns the configurations sorted by name.
      this.#webhooks = store.range(this.#bucket, "").flatMap(({ object }) => webhooksOf(object));
      this.#byTarget = new Map();
    }
    if (this.#webhooks.length === 0) return none;
    if (directory.revision !== this.#directoryRevision) {
      this.#directoryRevision = directory.revision;
      this.#byTarget = new Map();
    }
    const { operation, resource, subresource } = target;
    const key = `${operation} ${resource.bucket} ${resource.type.version} ${subresource}`;
    const known = this.#byTarget.get(key);
    if (known) return known;
    const found = this.#webhooks.flatMap((webhook) => {
      const match = matchOf(webhook.rules, target, directory);
      return match ? [{ webhook, match }] : [];
    });
    this.#byTarget.set(key, found);
    return found;
  }

  /** True if a candidate's label selectors and match conditions match a request. @throws StatusError 403 */
  isFor({ webhook, match }: Candidate, request: AdmissionRequest): boolean {
    if (!isNamed(match, request) || !selects(webhook.selectors, request, this.#context.store)) return false;
    const { conditions } = webhook;
    if (conditions.expressions.length === 0) return true;
    try {
      return allHold(
        conditions,
        requestBindings(this.#context, request, match.resource),
        new CostBudget(costLimit, undefined, request.budget),
      );
    } catch (error) {
      throw failures.forbidden(subjectOf(request.resource), request.name, messageOf(error));
    }
  }
}
