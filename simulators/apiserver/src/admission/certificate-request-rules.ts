import { isDeepStrictEqual } from "node:util";
import { fieldError, type KubeObject, type StatusCause, scalarStringAt } from "@keelson/apimachinery";
import { listAt, objectAt, readCertificateRequest, stringsAt, valueAt } from "@keelson/base";
import { knownUsages, legacySigner } from "../auth/signers.ts";
import { type User, userInfo } from "../auth/user.ts";

const decisions = ["Approved", "Denied"];
const finals = [...decisions, "Failed"];
const signerName = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)+\/\S+$/;
const minSeconds = 600;

/**
 * Sets the requester of a new CertificateSigningRequest to the authenticated user and ignores the client's values. Clears the
 * status, so a client cannot create an already approved object.
 */
export function requestedBy(request: KubeObject, user: User): KubeObject {
  const { username: _name, uid: _uid, groups: _groups, extra: _extra, ...spec } = objectAt(request, "spec");
  return { ...request, spec: { ...spec, ...userInfo(user) }, status: {} };
}

/**
 * Returns the updated CertificateSigningRequest with its original spec, which is immutable. A write of the subresource `approval`
 * changes only conditions. A write of the subresource `status` cannot approve or deny.
 */
export function changedRequest(
  request: KubeObject,
  current: KubeObject,
  subresource: string,
  now: string,
): KubeObject {
  if (subresource === "") return { ...request, ...lasting(current) };
  const before = listAt(current, "status", "conditions");
  const conditions = listAt(request, "status", "conditions").map((each) => {
    const same = before.find((old) => scalarStringAt(old, "type") === scalarStringAt(each, "type"));
    const kept = same && scalarStringAt(same, "status") === scalarStringAt(each, "status");
    return {
      ...objectAt(each),
      lastUpdateTime: scalarStringAt(each, "lastUpdateTime") || now,
      lastTransitionTime:
        scalarStringAt(each, "lastTransitionTime") ||
        (kept ? scalarStringAt(same, "lastTransitionTime") : "") ||
        now,
    };
  });
  const status = subresource === "approval" ? objectAt(current, "status") : objectAt(request, "status");
  return { ...request, spec: current.spec, status: { ...status, conditions } };
}

function lasting({ spec, status }: KubeObject): Readonly<Record<string, unknown>> {
  return { spec, ...(status === undefined ? {} : { status }) };
}

/** Returns the validation errors of a new CertificateSigningRequest. */
export async function newRequestCauses(request: KubeObject): Promise<readonly StatusCause[]> {
  const seconds = valueAt(request, "spec", "expirationSeconds");
  const signer = scalarStringAt(request, "spec", "signerName");
  return [
    ...(await pemCauses(scalarStringAt(request, "spec", "request"))),
    ...usageCauses(stringsAt(request, "spec", "usages")),
    ...signerCauses(signer),
    ...(typeof seconds === "number" && seconds < minSeconds
      ? [
          fieldError.invalid(
            "spec.expirationSeconds",
            seconds,
            "may not specify a duration less than 600 seconds (10 minutes)",
          ),
        ]
      : []),
  ];
}

async function pemCauses(encoded: string): Promise<readonly StatusCause[]> {
  try {
    await readCertificateRequest(Buffer.from(encoded, "base64").toString());
    return [];
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return [fieldError.invalid("spec.request", encoded, why)];
  }
}

function usageCauses(usages: readonly string[]): readonly StatusCause[] {
  if (usages.length === 0) return [fieldError.required("spec.usages")];
  return usages.flatMap((usage, at) => {
    const field = `spec.usages[${at}]`;
    if (!knownUsages.includes(usage)) return [fieldError.notSupported(field, usage, knownUsages)];
    return usages.indexOf(usage) < at ? [fieldError.duplicate(field, usage)] : [];
  });
}

function signerCauses(signer: string): readonly StatusCause[] {
  const field = "spec.signerName";
  if (!signer) return [fieldError.required(field)];
  if (signer === legacySigner) {
    return [fieldError.invalid(field, signer, "the legacy signerName is not allowed via this API version")];
  }
  if (signerName.test(signer)) return [];
  const why = "must be a fully qualified domain and path of the form 'example.com/signer-name'";
  return [fieldError.invalid(field, signer, why)];
}

/** Returns the validation errors of an update of a CertificateSigningRequest or its subresource. */
export function changeCauses(
  request: KubeObject,
  current: KubeObject,
  subresource: string,
): readonly StatusCause[] {
  const field = "status.conditions";
  const ofType = (object: KubeObject, type: string) =>
    listAt(object, "status", "conditions").filter((each) => scalarStringAt(each, "type") === type);
  const removed = finals.filter((type) => ofType(request, type).length < ofType(current, type).length);
  const changed = subresource === "approval" ? [] : decisions.filter((type) => !removed.includes(type));
  return [
    ...conditionCauses(request),
    ...removed.map((type) =>
      fieldError.forbidden(field, `updates may not remove a condition of type ${JSON.stringify(type)}`),
    ),
    ...changed.flatMap((type) => {
      const [before, after] = [ofType(current, type), ofType(request, type)];
      if (isDeepStrictEqual(before, after)) return [];
      const what = after.length > before.length ? "add" : "modify";
      return [
        fieldError.forbidden(field, `updates may not ${what} a condition of type ${JSON.stringify(type)}`),
      ];
    }),
    ...certificateCauses(request, current, subresource),
  ];
}

function conditionCauses(request: KubeObject): readonly StatusCause[] {
  const field = "status.conditions";
  const conditions = listAt(request, "status", "conditions");
  const types = conditions.map((each) => scalarStringAt(each, "type"));
  const both = decisions.every((type) => types.includes(type));
  return [
    ...conditions.flatMap((each, at) => {
      const [type, status] = [scalarStringAt(each, "type"), scalarStringAt(each, "status")];
      const known = finals.includes(type) ? ["True"] : ["False", "True", "Unknown"];
      return [
        ...(type ? [] : [fieldError.required(`${field}[${at}].type`)]),
        ...(status ? [] : [fieldError.required(`${field}[${at}].status`)]),
        ...(status && !known.includes(status)
          ? [fieldError.notSupported(`${field}[${at}].status`, status, known)]
          : []),
        ...(types.indexOf(type) < at ? [fieldError.duplicate(`${field}[${at}].type`, type)] : []),
      ];
    }),
    ...(both
      ? [fieldError.invalid(field, types.at(-1), "Approved and Denied conditions are mutually exclusive")]
      : []),
  ];
}

function certificateCauses(
  request: KubeObject,
  current: KubeObject,
  subresource: string,
): readonly StatusCause[] {
  const [before, after] = [
    scalarStringAt(current, "status", "certificate"),
    scalarStringAt(request, "status", "certificate"),
  ];
  if (before === after) return [];
  const field = "status.certificate";
  if (subresource !== "status")
    return [fieldError.forbidden(field, "updates may not set certificate content")];
  if (before) return [fieldError.forbidden(field, "updates may not modify existing certificate content")];
  const text = Buffer.from(after, "base64").toString();
  return /-----BEGIN CERTIFICATE-----/.test(text)
    ? []
    : [fieldError.invalid(field, "<certificate data>", "must contain at least one CERTIFICATE PEM block")];
}
