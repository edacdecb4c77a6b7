import { CloudError, type CloudErrorCode } from "@keelson/arm";
import { type AzureClients, azureErrorCode, isNotFound, missingAction, permissionsOn } from "@keelson/azure";
import { defineErrors } from "@keelson/base";
import { type LinkedKindName, linkedKinds, type Role } from "./linked-kinds.ts";

/** Somebody whose rights on a customer's objects are checked. */
export interface Subject {
  readonly role: Role;
  /** Reads the objects. */
  readonly azure: AzureClients;
  /**
   * Who may not do one of the actions with a resource; `undefined` when all is allowed. One subject may stand for
   * several identities that need different actions. Rejects as the SDKs do for a resource that does not exist.
   */
  findDenial(
    resourceId: string,
    actions: readonly string[],
    signal: AbortSignal,
  ): Promise<Denial | undefined>;
}

/** Somebody who lacks a right. */
export interface Denial {
  readonly code: CloudErrorCode;
  /** `cluster service principal (Application ID: ...)`, `ingress platform managed identity`. */
  readonly who: string;
  /** What is said of disk encryption sets instead of `does not have required permissions`, where it differs. */
  readonly ofDiskEncryptionSet?: string;
}

const principals = {
  cluster: { code: "InvalidServicePrincipalPermissions", name: "cluster service principal" },
  service: { code: "InvalidResourceProviderPermissions", name: "resource provider service principal" },
} as const satisfies Record<Role, { code: CloudErrorCode; name: string }>;

/** The service principal that `azure` is signed in as. */
export function principalSubject(role: Role, azure: AzureClients, applicationId: string): Subject {
  const { code, name } = principals[role];
  const denial: Denial = {
    code,
    who: `${name} (Application ID: ${applicationId})`,
    ofDiskEncryptionSet: `${name} does not have Reader permission`,
  };
  return {
    role,
    azure,
    async findDenial(resourceId, actions, signal) {
      try {
        const permissions = await permissionsOn(azure, resourceId, signal);
        return missingAction(permissions, actions) === undefined ? undefined : denial;
      } catch (error) {
        if (azureErrorCode(error) === "AuthorizationFailed") return denial;
        throw error;
      }
    },
  };
}

const errors = defineErrors({
  /** Named as Azure names it, so that it is treated like one: rights just given take minutes to spread. */
  AuthorizationFailed: { retry: "backoff" },
});

/**
 * Checks that a subject may do what it has to with an object.
 * @throws CloudError for a missing right or object; while a right may still spread, its cause says so
 */
export async function requireRights(
  subject: Subject,
  kind: LinkedKindName,
  id: string,
  options: { readonly target?: string; readonly signal: AbortSignal },
): Promise<void> {
  const { actions, absentCode, absentText } = linkedKinds[kind];
  const target = options.target === undefined ? {} : { target: options.target };
  try {
    const denial = await subject.findDenial(id, actions[subject.role], options.signal);
    if (denial) throw denied(denial, kind, id, target);
  } catch (cause) {
    if (!isNotFound(cause)) throw cause;
    throw new CloudError(absentCode, absentText(id), { ...target, cause });
  }
}

/** The error that tells a customer of a missing right. */
export function denied(
  { code, who, ofDiskEncryptionSet }: Denial,
  kind: LinkedKindName,
  id: string,
  options: { readonly target?: string },
): CloudError {
  const plain = `${who} does not have required permissions`;
  const lacks = kind === "diskEncryptionSet" ? (ofDiskEncryptionSet ?? plain) : plain;
  const reason =
    kind === "networkSecurityGroup"
      ? " This is required when the enable-preconfigured-nsg option is specified."
      : "";
  const message = `The ${lacks} on ${linkedKinds[kind].label} '${id}'.${reason}`;
  return new CloudError(code, message, { ...options, cause: missingRight(message) });
}

/** The cause of an error that tells of a missing right: it may be there in a minute. */
export function missingRight(message: string): Error {
  return errors.AuthorizationFailed(message);
}
