export {
  type BucketAllocation,
  type BucketDatabase,
  BucketPool,
  type BucketPoolOptions,
} from "./buckets/bucket-pool.ts";
export { isInterruption, workflowErrors } from "./errors.ts";
export {
  executeStep,
  type StepDeps,
  type StepProgress,
  type StepScope,
} from "./execute-step.ts";
export {
  type ActionSpec,
  type ConditionSpec,
  condition,
  type Graph,
  GraphBuilder,
  graph,
  type Step,
  sequence,
  step,
} from "./graph.ts";
export { graphProblems } from "./graph-problems.ts";
export { type GuardedWrite, writeGuarded } from "./guarded-write.ts";
export { HeldLease, type HeldLeaseOptions } from "./held-lease.ts";
export { acquireIdleLease, type IdleLease, type IdleLeaseOptions } from "./idle-lease.ts";
export {
  Journal,
  type JournalDeps,
  type JournalStore,
  type Progress,
  type StepChange,
  type StepJournal,
  type StepRecord,
} from "./journal.ts";
export type { LeaseGuard } from "./lease-guard.ts";
export { processOwner, QueueWorkers, type QueueWorkersOptions } from "./queue-workers.ts";
export {
  decideRetry,
  type RetryContext,
  type RetryDecision,
  type RetryPolicy,
  type RetryRule,
  retry,
  stop,
} from "./retry-policy.ts";
export { type RunOptions, runGraph, type StepEvent } from "./run-graph.ts";
export { Serial } from "./serial.ts";
export { retryMessage, type StepLogEntry, type StepLogRecord } from "./step-log.ts";
export type { StepLogStore } from "./step-logs.ts";
export { StepTimeoutError } from "./step-timeout-error.ts";
export { type Variation, varyGraph } from "./vary-graph.ts";
export { type WorkQueue, type WorkQueueOptions, type WorkSignals, workQueue } from "./work-queue.ts";
