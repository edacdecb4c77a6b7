export { BucketPool } from "./buckets/bucket-pool.ts";
export { isInterruption, workflowErrors } from "./errors.ts";
export {
  executeStep,
  type StepProgress,
  type StepScope,
} from "./execute-step.ts";
export {
  condition,
  type Graph,
  graph,
  type Step,
  sequence,
  step,
} from "./graph.ts";
export { graphProblems } from "./graph-problems.ts";
export { writeGuarded } from "./guarded-write.ts";
export { HeldLease } from "./held-lease.ts";
export { acquireIdleLease, type IdleLease } from "./idle-lease.ts";
export {
  Journal,
  type JournalStore,
  type StepRecord,
} from "./journal.ts";
export type { LeaseGuard } from "./lease-guard.ts";
export { processOwner, QueueWorkers } from "./queue-workers.ts";
export {
  decideRetry,
  type RetryPolicy,
  type RetryRule,
  retry,
  stop,
} from "./retry-policy.ts";
export { runGraph, type StepEvent } from "./run-graph.ts";
export { Serial } from "./serial.ts";
export { StepTimeoutError } from "./step-timeout-error.ts";
export { varyGraph } from "./vary-graph.ts";
export { type WorkSignals, workQueue } from "./work-queue.ts";
