import { isCoded, messageOf, stringAt } from "@keelson/base";
import {
  type Controller,
  done,
  hasFinalizer,
  type Result,
  removeFinalizer,
  watchFor,
} from "@keelson/controller";
import { isConflict, KubeError, type KubeObject } from "@keelson/kube";
import { patchStatus } from "@keelson/operator-kit";
import { defaultConfig } from "../bootstrap/default-config.ts";
import {
  type ConfigCondition,
  type ConfigConditions,
  conditionsOf,
  lastUpdateTime,
  writtenConditions,
} from "../config/config-conditions.ts";
import { invalidSettings } from "../config/invalid-settings.ts";
import { type SamplesSettings, settingsOf } from "../config/samples-settings.ts";
import { architectureDirectory } from "../content/architecture-directory.ts";
import type { Catalogue } from "../content/load-catalogue.ts";
import type { OperatorContext } from "../context/operator-context.ts";
import { controllerName, type SamplesRequest, samplesRequest } from "../context/samples-request.ts";
import { forgetFailures, trackImports } from "../imports/track-imports.ts";
import {
  clusterOperatorName,
  clusterOperators,
  configImages,
  configKey,
  configMaps,
  contentNamespace,
  finalizer,
  imageStreams,
  pullSecretKey,
  samplesConfigs,
  secrets,
  tagMapName,
  templates,
  unreachableAnnotation,
} from "../resources/resources.ts";
import { keepSamples, removeSamples, type SampleFailure } from "../samples/keep-samples.ts";
import { tagMap } from "../samples/tag-map.ts";
import {
  clusterOperatorReport,
  deletionReport,
  unreachableReport,
  unsupportedReport,
} from "../status/cluster-operator-report.ts";
import { hasRegistryCredential } from "./pull-secret.ts";

/**
 * Interval in ms between resyncs. A resync detects changes that cause no event, for example that an unreadable catalogue has
 * become readable.
 */
const resyncMs = 10 * 60_000;

/**
 * Returns the operator's only controller. The controller reconciles samples, ConfigMaps, conditions and metrics according to the
 * Config and the catalogue.
 */
export function samplesController(namespace: string): Controller<OperatorContext> {
  return {
    name: controllerName,
    initialKeys: [configKey],
    resyncMs,
    watches: [
      watchFor(samplesConfigs, configKey, {
        selection: { fieldSelector: `metadata.name=${configKey.name}` },
      }),
      watchFor(clusterOperators, configKey, {
        selection: { fieldSelector: `metadata.name=${clusterOperatorName}` },
      }),
      watchFor(imageStreams, configKey, { selection: { namespace: contentNamespace } }),
      watchFor(templates, configKey, { selection: { namespace: contentNamespace } }),
      watchFor(configMaps, configKey, { selection: { namespace } }),
      watchFor(configImages, configKey, { selection: { fieldSelector: "metadata.name=cluster" } }),
      watchFor(secrets, configKey, {
        selection: {
          namespace: pullSecretKey.namespace,
          fieldSelector: `metadata.name=${pullSecretKey.name}`,
        },
      }),
    ],
    async reconcile(_key, context, scope) {
      const request = samplesRequest(context, scope);
      using _ = request.wave;
      return await reconcileSamples(request);
    },
  };
}

async function reconcileSamples(request: SamplesRequest): Promise<Result> {
  const config = await request.objects.find(samplesConfigs, configKey);
  if (!config) return createConfig(request);
  if (config.metadata.deletionTimestamp !== undefined) return removeConfig(request, config);
  const settings = settingsOf(config, "spec");
  await keepReason(request, config, settings);
  switch (settings.managementState) {
    case "Removed":
      await keepTagMap(request, settings);
      return reconcileRemoved(request, config, settings);
    case "Unmanaged": {
      await keepTagMap(request, settings);
      const conditions = withoutRemoval(conditionsOf(config));
      await report(request, config, settings, { conditions, managementState: "Unmanaged" });
      return done;
    }
    case "Managed":
      return reconcileManaged(request, config, settings);
  }
}

async function createConfig(request: SamplesRequest): Promise<Result> {
  const { api, architecture, firstState, signal } = request;
  await keepTagMap(request, undefined);
  const decided = await firstState.decide(signal);
  if ("requeueAfterMs" in decided) return decided;
  await api.create(samplesConfigs, defaultConfig(decided.state, architecture), signal).catch((error) => {
    if (!isConflict(error)) throw error;
  });
  return done;
}

async function removeConfig(request: SamplesRequest, config: KubeObject): Promise<Result> {
  const { api, clusterOperator, signal } = request;
  if (!hasFinalizer(config, finalizer)) return done;
  await clusterOperator.report(deletionReport, signal).catch(() => undefined);
  await removeSamples(request);
  await forgetFailures(request, new Set());
  await removeFinalizer(api, samplesConfigs, config, finalizer, signal);
  return done;
}

async function reconcileRemoved(
  request: SamplesRequest,
  config: KubeObject,
  settings: SamplesSettings,
): Promise<Result> {
  const before = conditionsOf(config);
  if (stringAt(config, "status", "managementState") !== "Removed") {
    const pending: ConfigConditions = { ...before, RemovePending: { status: "True" } };
    const live = await report(request, config, settings, { conditions: pending });
    await removeSamples(request);
    await forgetFailures(request, new Set());
    config = live;
  }
  const conditions = {
    ...withoutRemoval(before),
    SamplesExist: { status: "False" },
    ImageChangesInProgress: { status: "False" },
    ImportImageErrorsExist: { status: "False" },
  } as const;
  await report(request, config, settings, { conditions, managementState: "Removed" });
  return done;
}

async function reconcileManaged(
  request: SamplesRequest,
  config: KubeObject,
  settings: SamplesSettings,
): Promise<Result> {
  const { cache, release, retries } = request;
  const before = conditionsOf(config);
  const exists = before.SamplesExist.status !== "False";
  const image = cache.known(configImages, configKey)?.object;
  const processed = exists ? settingsOf(config, "status") : undefined;
  const invalid = invalidSettings(settings, processed, image);
  // If the settings are invalid, the samples are repaired according to the previous settings.
  const followed = invalid ? processed : settings;
  const outcome: Outcome = { failures: [], failing: [], ...(await follow(request, followed)) };
  const conditions: ConfigConditions = {
    ...withoutRemoval(before),
    ImageChangesInProgress: { status: "False" },
    MigrationInProgress: { status: "False" },
    ImportCredentialsExist: {
      status: followed && !outcome.broken ? "True" : before.ImportCredentialsExist.status,
    },
    ConfigurationValid: invalid ? { status: "False", ...invalid } : { status: "True" },
    SamplesExist: followed ? samplesExist(before, outcome) : before.SamplesExist,
    ImportImageErrorsExist: { status: outcome.failing.length > 0 ? "True" : "False" },
  };
  const whole = !invalid && !outcome.broken && outcome.failures.length === 0;
  await report(request, config, settings, {
    conditions,
    // If the settings are invalid and no samples exist, the recorded management state stays unchanged.
    managementState: followed && "Managed",
    failingImports: outcome.failing,
    ...(whole ? { processed: settings, version: release } : {}),
    streams: streamsOf(outcome, settings),
  });
  if (outcome.broken) throw outcome.broken;
  const [failure] = outcome.failures;
  if (failure) throw failure.error;
  return retries.nextMs === undefined ? done : { requeueAfterMs: retries.nextMs };
}

interface Outcome {
  readonly catalogue?: Catalogue;
  /** Error that occurred while reading the catalogue. */
  readonly broken?: unknown;
  readonly failures: readonly SampleFailure[];
  readonly failing: readonly string[];
}

async function follow(
  request: SamplesRequest,
  settings: SamplesSettings | undefined,
): Promise<Partial<Outcome>> {
  if (!settings) return {};
  let catalogue: Catalogue;
  try {
    catalogue = await catalogueOf(request, settings);
  } catch (error) {
    request.signal.throwIfAborted();
    return { broken: error };
  }
  await writeTagMap(request, catalogue);
  const failures = await keepSamples(request, catalogue, settings);
  return { catalogue, failures, failing: await trackImports(request, catalogue, settings) };
}

function catalogueOf(
  { architecture, catalogues, signal }: SamplesRequest,
  settings: SamplesSettings | undefined,
): Promise<Catalogue> {
  return catalogues.get(settings?.architectures[0] ?? architecture ?? "", signal);
}

function samplesExist(before: ConfigConditions, { broken, catalogue, failures }: Outcome): ConfigCondition {
  if (broken)
    return {
      status: "Unknown",
      reason: "FileSystemError",
      message: `error reading in content : ${messageOf(broken)}`,
    };
  const lasting = failures.find(({ passes }) => !passes);
  if (lasting) return { status: "Unknown", reason: reasonOf(lasting.error), message: lasting.message };
  const [passing] = failures;
  if (passing) return { ...before.SamplesExist, message: passing.message };
  const left = (catalogue?.problems ?? []).filter(({ severity }) => severity === "error");
  if (left.length === 0) return { status: "True" };
  const files = left.map(({ file, message }) => `${file}: ${message}`);
  const text = `${left.length} files of the catalogue are left out: ${files.slice(0, 10).join("; ")}`;
  return { status: "True", message: text };
}

function reasonOf(error: unknown): string {
  if (error instanceof KubeError) return `APIServer${error.reason}Error`;
  return isCoded(error) ? error.code : "FileSystemError";
}

function withoutRemoval(conditions: ConfigConditions): ConfigConditions {
  return { ...conditions, RemovePending: { status: "False" } };
}

function streamsOf(
  { catalogue, failing }: Outcome,
  { skippedImagestreams }: SamplesSettings,
): ReadonlyMap<string, boolean> {
  const failed = new Set(failing);
  const skipped = new Set(skippedImagestreams);
  return new Map(
    [...(catalogue?.imageStreams.keys() ?? [])].map((name) => [name, failed.has(name) && !skipped.has(name)]),
  );
}

interface Reported {
  readonly conditions: ConfigConditions;
  /** Management state that was last applied completely. */
  readonly managementState?: SamplesSettings["managementState"] | undefined;
  /** Settings that were last applied completely. `version` is the release that applied them. */
  readonly processed?: SamplesSettings;
  readonly version?: string;
  readonly failingImports?: readonly string[];
  readonly streams?: ReadonlyMap<string, boolean>;
}

/** Writes the statuses of the Config and of the ClusterOperator if they have changed. Sets the metrics. */
async function report(
  request: SamplesRequest,
  config: KubeObject,
  settings: SamplesSettings,
  { conditions, managementState, processed, failingImports = [], streams = new Map(), ...reported }: Reported,
): Promise<KubeObject> {
  const { api, cache, clock, clusterOperator, metrics, objects, release, signal } = request;
  const now = clock.now();
  const leaves = managementState !== undefined && managementState !== "Managed";
  const version = reported.version ?? (leaves ? release : (stringAt(config, "status", "version") ?? ""));
  const members = {
    ...(managementState === undefined ? {} : { managementState }),
    ...(processed
      ? {
          samplesRegistry: processed.samplesRegistry,
          architectures: processed.architectures,
          skippedImagestreams: processed.skippedImagestreams,
          skippedTemplates: processed.skippedTemplates,
        }
      : {}),
    ...(managementState === "Removed" ? { architectures: [] } : {}),
    version,
  };
  await patchStatus(
    api,
    samplesConfigs,
    config,
    { conditions: writtenConditions(conditions, now), members: differing(config, members) },
    now,
    signal,
  );
  const status = managementState ?? settingsOf(config, "status").managementState;
  const architecture = settings.architectures[0];
  const unreachable = settings.managementState === "Removed" && isUnreachable(config);
  const samples = {
    release,
    version,
    managementState: status,
    conditions,
    failingImports,
    lastImport: lastUpdateTime(
      config,
      "ImportImageErrorsExist",
      conditions.ImportImageErrorsExist.status,
      now,
    ),
  };
  const said =
    architecture !== undefined && architectureDirectory(architecture) === undefined
      ? unsupportedReport(version)
      : unreachable
        ? unreachableReport(version)
        : clusterOperatorReport(samples);
  await clusterOperator.report(said, signal);
  // Samples that the operator does not manage must not cause an alert.
  const isManaged = settings.managementState === "Managed";
  const needsCredentials = isManaged && settings.samplesRegistry === "";
  const pullSecret = cache.known(secrets, pullSecretKey)?.object;
  metrics.set({
    streams,
    degraded:
      said.conditions?.some(({ type, status: each }) => type === "Degraded" && each === "True") ?? false,
    invalidConfig: isManaged && conditions.ConfigurationValid.status !== "True",
    missingSecret: needsCredentials && conditions.ImportCredentialsExist.status !== "True",
    missingCredential: needsCredentials && !hasRegistryCredential(pullSecret),
    unreachable,
  });
  return (await objects.find(samplesConfigs, configKey)) ?? config;
}

/** Returns the given status fields. Omits empty fields that the Config's status does not contain. */
function differing(config: KubeObject, members: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const status = Object(config.status);
  return Object.fromEntries(
    Object.entries(members).filter(
      ([name, value]) =>
        Object.hasOwn(status, name) || !(value === "" || (Array.isArray(value) && value.length === 0)),
    ),
  );
}

function isUnreachable({ metadata }: KubeObject): boolean {
  return metadata.annotations?.[unreachableAnnotation] === "true";
}

/** Removes the annotation with the reason for the initial removal, unless the management state is still Removed. */
async function keepReason(
  { objects }: SamplesRequest,
  config: KubeObject,
  { managementState }: SamplesSettings,
): Promise<void> {
  if (managementState !== "Removed" && isUnreachable(config))
    await objects.correct(samplesConfigs, config, {
      metadata: { annotations: { [unreachableAnnotation]: null } },
    });
}

/** Writes the tag map, even if samples are not managed. Administrators use the tag map to mirror images. */
async function keepTagMap(request: SamplesRequest, settings: SamplesSettings | undefined): Promise<void> {
  const { logger } = request;
  let catalogue: Catalogue;
  try {
    catalogue = await catalogueOf(request, settings);
  } catch (error) {
    request.signal.throwIfAborted();
    logger.warn({ error: messageOf(error) }, "the catalogue is not readable");
    return;
  }
  await writeTagMap(request, catalogue);
}

async function writeTagMap(
  { namespace, objects, release: version }: SamplesRequest,
  catalogue: Catalogue,
): Promise<void> {
  const live = await objects.find(configMaps, { namespace, name: tagMapName });
  await objects.ensure(configMaps, tagMap(catalogue, live, { namespace, version }));
}
