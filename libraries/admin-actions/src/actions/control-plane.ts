import { CloudError } from "@keelson/arm";
import { checkControlPlane } from "../control-plane/check-control-plane.ts";
import { checkResize as check } from "../control-plane/check-resize.ts";
import { resizeControlPlane as resize } from "../control-plane/resize-control-plane.ts";
import { type ActionParameter, required, text } from "./action-parameter.ts";
import { declareAction } from "./admin-action.ts";
import { masterSize } from "./master-size.ts";

export const controlPlaneStatusCheck = declareAction({
  method: "GET",
  suffix: "controlplanestatuscheckafterresize",
  role: "reader",
  summary: "whether Machines, virtual machines and nodes agree",
  remarks:
    "200 if the masters' Machines, virtual machines and nodes exist, run, and have the same sizes and zones",
  parameters: {},
  handle: (context) => checkControlPlane(context),
});

export const checkResize = declareAction({
  method: "GET",
  suffix: "preresizevalidation",
  role: "reader",
  summary: "reasons against a different size",
  remarks:
    "checks whether the masters can be resized. If not, the response is 400 with all reasons in `details`",
  long: { limitMs: 60_000 },
  parameters: { vmSize: required(text("vmSize")) },
  async handle(context, { vmSize }) {
    await check(context, vmSize);
    return { body: "All pre-flight checks passed" };
  },
});

const deallocateVM: ActionParameter<boolean> = {
  name: "deallocateVM",
  in: "query",
  type: "boolean",
  default: true,
  read(input) {
    const given = input.query("deallocateVM") || "true";
    const value = given.toLowerCase();
    if (value === "true" || value === "false") return value === "true";
    throw new CloudError(
      "InvalidParameter",
      `The provided deallocateVM value '${given}' is invalid. Allowed values are 'true' or 'false'.`,
      { target: "deallocateVM" },
    );
  },
};

const limitPerNodeMs = 45 * 60_000;

export const resizeControlPlane = declareAction({
  method: "POST",
  suffix: "resizecontrolplane",
  role: "elevated",
  summary: "resize all masters",
  destructive: true,
  remarks: "resizes the masters one after the other; 135 minutes at most",
  long: { limitMs: 3 * limitPerNodeMs, resumable: true, detached: true },
  parameters: { deallocateVM, vmSize: masterSize },
  handle: (context, wish, journal) => resize(context, wish, journal),
});
