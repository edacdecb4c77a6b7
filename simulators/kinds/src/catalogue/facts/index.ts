import type { TypeFacts } from "../type-facts.ts";
import { metaFacts } from "./meta.ts";
import { podSpecFacts } from "./pod-spec.ts";
import { rbacFacts } from "./rbac.ts";

/** Facts about types that several kinds share. */
export const sharedFacts: readonly TypeFacts[] = [metaFacts, podSpecFacts, rbacFacts];
