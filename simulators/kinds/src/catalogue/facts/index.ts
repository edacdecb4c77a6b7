import type { TypeFacts } from "../type-facts.ts";
import { metaFacts } from "./meta.ts";
import { podSpecFacts } from "./pod-spec.ts";
import { rbacFacts } from "./rbac.ts";

/** What is known of types that several kinds have. */
export const sharedFacts: readonly TypeFacts[] = [metaFacts, podSpecFacts, rbacFacts];
