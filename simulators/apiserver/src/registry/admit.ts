import type { KubeObject } from "@keelson/apimachinery";
import { administrator } from "../auth/user.ts";
import type { AdmissionRequest } from "../resources/admission-request.ts";
import type { RegistryContext, WriteOptions } from "../resources/registry-context.ts";
import type { ServedResource } from "../resources/served-resource.ts";
import { applyDefaults, check, managedBy, systemMetadata, writableMetadata } from "./conform.ts";
import { decodeObject } from "./decode-object.ts";
import { decodeToSchema } from "./decode-to-schema.ts";

/** Returns the properties that all admission requests of one write share. */
export function admissionOptions(
  options: WriteOptions,
): Pick<AdmissionRequest, "subresource" | "user" | "budget" | "dryRun" | "options" | "warn"> {
  return {
    subresource: options.subresource ?? "",
    user: options.user ?? administrator,
    budget: options.budget,
    dryRun: options.dryRun ?? false,
    options: options.given ?? {},
    warn: options.warn ?? ignore,
  };
}

const ignore = () => undefined;

/**
 * Runs mutating admission, then sets defaults and validates the object, then runs validating admission.
 * @throws StatusError
 */
export async function admitted(
  context: RegistryContext,
  request: AdmissionRequest & { readonly object: KubeObject },
): Promise<KubeObject> {
  const { resource, object: before, oldObject } = request;
  const mutated = await context.admission.mutate(request);
  const object = mutated === before ? before : refitted(context, request, mutated);
  await check(context, resource, object, oldObject, request);
  await context.admission.validate({ ...request, object });
  return object;
}

/**
 * Runs admission for an object created through a subresource, such as an Eviction.
 * @throws StatusError
 */
export async function admitCreation(
  { admission }: RegistryContext,
  resource: ServedResource,
  place: { readonly namespace?: string | undefined; readonly name: string },
  object: KubeObject,
  options: WriteOptions,
): Promise<KubeObject> {
  const request: AdmissionRequest = {
    ...admissionOptions(options),
    operation: "CREATE",
    resource,
    namespace: place.namespace,
    name: place.name,
    object,
    oldObject: undefined,
  };
  if (!admission.handles(request)) return object;
  const mutated = await admission.mutate(request);
  await admission.validate({ ...request, object: mutated });
  return mutated;
}

/** Decodes a mutated object like a client's request. Keeps the system metadata of the original object. */
function refitted(
  context: RegistryContext,
  { resource, object: before, oldObject }: AdmissionRequest & { readonly object: KubeObject },
  mutated: KubeObject,
): KubeObject {
  const fit = decodeToSchema(resource, decodeObject(resource, mutated), { fieldValidation: "Ignore" });
  const metadata = { ...systemMetadata(before.metadata), ...writableMetadata(fit.metadata) };
  const object = { ...fit, apiVersion: fit.apiVersion, kind: fit.kind, metadata };
  return managedBy(applyDefaults(context, resource, object, oldObject), before.metadata.managedFields ?? []);
}
