import { timeLimit } from "@keelson/base";
import { watchMapped } from "@keelson/controller";
import { resources } from "@keelson/kube";
import { certificateRotation, type RotationParts } from "@keelson/operator-kit";
import { rotationRows } from "../../certificates/rotation-rows.ts";
import { clusterInput, singleton } from "../../observers/inputs.ts";
import type { OperatorContext } from "../../runtime/operator-context.ts";

const name = "CertRotationController";
const isOwn = (type: string) => type.startsWith("CertRotation_") || type === "CertificatesValid";

/** Rotates the certificates that the operator issues, and the certificate authorities that sign them. */
export const certificateRotations = certificateRotation<OperatorContext>({
  rows: rotationRows(({ cache }) => ({
    network: cache.known(resources.configNetworks, singleton)?.object,
    infrastructure: cache.known(resources.infrastructures, singleton)?.object,
  })),
  inputs: (keys) =>
    [resources.configNetworks, resources.infrastructures].map((resource) => {
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
