import { type Clock, type Gauge, messageOf } from "@keelson/base";
import {
  type Cache,
  type Condition,
  type Controller,
  done,
  type EventText,
  timestamp,
  type Watch,
  watchMapped,
} from "@keelson/controller";
import { type KubeApi, type KubeObject, type ObjectKey, resources } from "@keelson/kube";
import type { CertificateRotation, CertificateSubject, RotationPolicy } from "./certificate-rotation.ts";
import { type RotationState, rotate } from "./rotate.ts";

/** Certificate rotation of an operator. The target's subject may depend on the cluster. */
export interface RotationRow<Context> extends Omit<CertificateRotation, "target"> {
  readonly target: Omit<CertificateRotation["target"], "subject"> & {
    /**
     * Returns the certificate subject. The function reads only the cache.
     * @throws Error if the cluster lacks the required data
     */
    readonly subject: (context: Context) => CertificateSubject;
  };
}

/** Dependencies that the operator provides. */
export interface RotationParts {
  readonly api: KubeApi;
  readonly cache: Cache;
  readonly clock: Clock;
  /** Reports an Event of the operator. */
  readonly report: (event: EventText) => void;
  /** Sets conditions in the status of the operator's configuration. */
  readonly setConditions: (conditions: readonly Condition[]) => Promise<void>;
  /** Metric with the expiry of each certificate in Unix seconds. Its labels are `namespace` and `name`. */
  readonly expiry: Gauge<"namespace" | "name">;
}

export interface CertificateRotationOptions<Context> {
  readonly rows: readonly RotationRow<Context>[];
  /**
   * Returns `rows` with the rotation periods that apply now. The names and objects of the rows must not change. Default: `rows`.
   */
  readonly currentRows?: (context: Context) => readonly RotationRow<Context>[];
  readonly parts: (context: Context) => RotationParts;
  /** Returns the watches of the objects that determine subjects and periods. A change of such an object enqueues all rows. */
  readonly inputs: (keys: () => readonly ObjectKey[]) => readonly Watch<Context>[];
  readonly policy?: RotationPolicy;
}

const retryMs = 1_000;

/**
 * Rotates certificates. Each row has its own queue key and its own condition `CertRotation_{name}_Degraded`. The condition
 * `CertificatesValid` names the certificate that expires first.
 */
export function certificateRotation<Context>({
  rows,
  currentRows = () => rows,
  parts,
  inputs,
  policy = {},
}: CertificateRotationOptions<Context>): Controller<Context> {
  const keys = () => rows.map(({ name }) => ({ name }));
  const states = new Map<string, RotationState>();
  return {
    name: "CertRotationController",
    watches: [...objectWatches(rows), ...inputs(keys)],
    initialKeys: keys(),
    // Rows can share a signer. Concurrent reconciles of such rows would both replace the signer.
    concurrency: 1,
    resyncMs: 60_000,
    async reconcile({ name }, context, { signal }) {
      const row = currentRows(context).find((each) => each.name === name);
      if (!row) return done;
      const { api, cache, clock, expiry, report, setConditions } = parts(context);
      const type = `CertRotation_${name}_Degraded`;
      try {
        const rotation = { ...row, target: { ...row.target, subject: row.target.subject(context) } };
        const state = await rotate(rotation, {
          api,
          find: async (resource, key) => {
            const known = cache.known(resource, key);
            return known ? known.object : api.find(resource, key, signal);
          },
          report,
          clock,
          policy,
          signal,
        });
        if (!state) return { requeueAfterMs: retryMs };
        states.set(name, state);
        expiry.set(state.signerEnds.getTime() / 1_000, labelsOf(row.signer));
        expiry.set(state.targetEnds.getTime() / 1_000, labelsOf(row.target));
        await setConditions([{ type, status: "False" }, ...validCondition(rows, states)]);
        return done;
      } catch (error) {
        if (signal.aborted) throw error;
        const message = messageOf(error);
        report({ type: "Warning", reason: "RotationError", message });
        await setConditions([{ type, status: "True", reason: "RotationError", message }]);
        throw error;
      }
    },
  };
}

/** Returns watches of all objects in each namespace. The operator's other controllers share these informers. */
function objectWatches<Context>(rows: readonly RotationRow<Context>[]): readonly Watch<Context>[] {
  const using = (parts: (row: RotationRow<Context>) => readonly Required<ObjectKey>[]) => {
    const found = ({ metadata }: KubeObject) =>
      rows
        .filter((row) =>
          parts(row).some(
            ({ name, namespace }) => name === metadata.name && namespace === metadata.namespace,
          ),
        )
        .map(({ name }) => ({ name }));
    const namespaces = [...new Set(rows.flatMap(parts).map(({ namespace }) => namespace))];
    return { found, namespaces };
  };
  const pairs = using(({ signer, target }) => [signer, target]);
  const bundles = using(({ bundle }) => [bundle]);
  return [
    ...pairs.namespaces.map((namespace) =>
      watchMapped<KubeObject, Context>(resources.secrets, pairs.found, { selection: { namespace } }),
    ),
    ...bundles.namespaces.map((namespace) =>
      watchMapped<KubeObject, Context>(resources.configMaps, bundles.found, { selection: { namespace } }),
    ),
  ];
}

function labelsOf({ namespace, name }: { readonly namespace: string; readonly name: string }) {
  return { namespace, name };
}

function validCondition(
  rows: readonly { readonly name: string; readonly target: Required<ObjectKey> }[],
  states: ReadonlyMap<string, RotationState>,
): readonly Condition[] {
  const ends = rows.flatMap(({ name, target }) => {
    const state = states.get(name);
    return state ? [{ target, at: state.targetEnds }] : [];
  });
  const [first] = ends.toSorted((a, b) => a.at.getTime() - b.at.getTime());
  if (!first || ends.length < rows.length) return [];
  const message = `The first certificate to end is ${first.target.namespace}/${first.target.name}, at ${timestamp(first.at)}`;
  return [{ type: "CertificatesValid", status: "True", reason: "AsExpected", message }];
}
