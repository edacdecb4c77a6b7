export { aborted, type StopReason, startTimeLimit, timeLimit, untilAborted, withTimeout } from "./abort.ts";
export { allSucceeded } from "./all-succeeded.ts";
export { boundedText, cutText } from "./bounded-text.ts";
export { CallLimit, type CallLimitOptions } from "./call-limit.ts";
export {
  type CertificateRequestSubject,
  createCertificateRequest,
  readCertificateRequest,
  type SigningTerms,
  signCertificateRequest,
} from "./certificate-requests.ts";
export { type CertificateUses, readCertificateUses } from "./certificate-uses.ts";
export {
  type CertificateRequest,
  createCertificateAuthority,
  issueCertificate,
  type KeyPair,
  type KeyType,
  type ValidityPeriod,
} from "./certificates.ts";
export {
  type Cidr,
  formatIpv4,
  type Ipv4Range,
  networkAddress,
  overlaps,
  parseCidr,
  parseIpv4Range,
} from "./cidr.ts";
export { type Clock, systemClock } from "./clock.ts";
export { closestName } from "./closest-name.ts";
export { connectStreams } from "./connect-streams.ts";
export { processCpuMs, threadCpuMs, workerCpuMs } from "./cpu-time.ts";
export {
  CodedError,
  defineErrors,
  type ErrorSpec,
  isCoded,
  messageOf,
  messageWithCause,
  type RetryAdvice,
} from "./errors.ts";
export { exactJson, parseExactJson } from "./exact-json.ts";
export { FairThreads, type FairThreadsOptions, type ThreadOutcome } from "./fair-threads.ts";
export { FileLock } from "./file-lock.ts";
export { type PortReservation, reserveFreePort, reservePort } from "./free-port.ts";
export { frugalMalloc } from "./frugal-malloc.ts";
export { formatGoDuration, type ParsedDuration, parseGoDuration } from "./go-duration.ts";
export { Heartbeat } from "./heartbeat.ts";
export { http1Only, httpConnectTimeoutMs } from "./http1-only.ts";
export { isPlainObject, type JsonObject, type JsonPrimitive, type JsonValue, tryParseJson } from "./json.ts";
export { listAt, numberAt, objectAt, stringAt, stringsAt, valueAt } from "./json-fields.ts";
export {
  createLogger,
  type LogFormat,
  type Logger,
  type LogOptions,
  openLogFile,
  silentLogger,
} from "./log.ts";
export { mergePatch } from "./merge-patch.ts";
export { type Exposition, type MetricJson, mergeMetrics } from "./merged-metrics.ts";
export type { HistogramSeries, LabelTexts, MetricFamily } from "./metric-families.ts";
export {
  type Counter,
  type Emission,
  type Gauge,
  type Histogram,
  type Labels,
  Metrics,
  type Sample,
} from "./metrics.ts";
export { maxExtension, onTimeDeadline, sleepOnTime } from "./on-time-deadline.ts";
export { opensshPublicKey } from "./openssh-key.ts";
export { type PollOptions, poll } from "./poll.ts";
export { foreignRights, removeForeignRights } from "./private-files.ts";
export {
  hostEntries,
  inPrivateRoot,
  mountNamespace,
  type PrivateEntry,
  type PrivateRoot,
  shellExports,
  systemPath,
} from "./private-root.ts";
export { redactText } from "./redact-text.ts";
export { redact } from "./redaction.ts";
export { requireOptions } from "./require-options.ts";
export { type Backoff, backoffMs, type RetryOptions, retry } from "./retry.ts";
export { retryAfterMs } from "./retry-after.ts";
export {
  describeSchemaFaults,
  type FindSchemaFaults,
  findUnknownFields,
  type SchemaFault,
  type UnknownField,
} from "./schema-faults.ts";
export { Secret, type SecretSource } from "./secret.ts";
export { sharedResult } from "./shared-result.ts";
export { untilSharedTick } from "./shared-ticks.ts";
export { spawnBound } from "./spawn-bound.ts";
export { Statsd, type StatsdAddress, type StatsdOptions, statsdAddress, statsdLine } from "./statsd.ts";
export { TokenBuckets, type TokenLimit } from "./token-buckets.ts";
export { type ActiveSpan, type SpanOptions, Tracing } from "./tracing.ts";
export { unprintable } from "./unprintable.ts";
export { unverifiedClaims } from "./unverified-claims.ts";
export { type WalkOptions, walkPath } from "./walk-path.ts";
export { WorkBudget, WorkBudgetExceeded, type WorkLimit, type WorkLimits } from "./work-budget.ts";
