import { timeLimit } from "@keelson/base";
import { type Controller, watchMapped } from "@keelson/controller";
import { resources } from "@keelson/kube";
import { certificateRotation, type RotationParts } from "@keelson/operator-kit";
import { gatedRotationRows } from "../../certificates/rotation-rows.ts";
import { findFeatureGates } from "../../config/feature-gates.ts";
import { clusterInput, singleton } from "../../observers/inputs.ts";
import type { OperatorContext } from "../../runtime/operator-context.ts";

const name = "CertRotationController";
const isOwn = (type: string) => type.startsWith("CertRotation_") || type === "CertificatesValid";

/**
 * Rotates the certificates that the operator issues, and the certificate authorities that sign them. `version` is the cluster
 * version. The feature gates of this version determine the periods.
 */
export function certificateRotations(version: string): Controller<OperatorContext> {
  return certificateRotation<OperatorContext>({
    ...gatedRotationRows(
      ({ cache }) => ({
        network: cache.known(resources.configNetworks, singleton)?.object,
        infrastructure: cache.known(resources.infrastructures, singleton)?.object,
      }),
      ({ cache }) => findFeatureGates(cache.known(resources.featureGates, singleton)?.object, version),
    ),
    inputs: (keys) =>
      [resources.configNetworks, resources.infrastructures, resources.featureGates].map((resource) => {
        const { selection = {} } = clusterInput(resource);
        return watchMapped(resource, keys, { selection });
      }),
    parts: ({ api, cache, clock, events, operator, expiry }): RotationParts => ({
      api,
      cache,
      clock,
      expiry,
      report: events.report,
      setConditions: (conditions) => operator.mergeConditions(name, conditions, isOwn, timeLimit(30_000)),
    }),
  });
}
