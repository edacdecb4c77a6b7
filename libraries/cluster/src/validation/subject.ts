import { CloudError, type CloudErrorCode } from "@keelson/arm";
import { type AzureClients, azureErrorCode, isNotFound, missingAction, permissionsOn } from "@keelson/azure";
import { defineErrors } from "@keelson/base";
import { type LinkedKindName, linkedKinds, type Role } from "./linked-kinds.ts";

/** One or more principals. The validation checks their permissions on a customer's resources. */
export interface Subject {
  readonly role: Role;
  /** Azure clients that read the resources. */
  readonly azure: AzureClients;
  /**
   * Returns the first denied action on a resource. Undefined if all actions are allowed. A subject may combine several
   * identities, which need different actions. Rejects with the SDK's error for a missing resource.
   */
  findDenial(
    resourceId: string,
    actions: readonly string[],
    signal: AbortSignal,
  ): Promise<Denial | undefined>;
}

/** Principal without a required permission. */
export interface Denial {
  readonly code: CloudErrorCode;
  /**
   * Description of the principal, for example `cluster service principal (Application ID: ...)` or `ingress platform managed
   * identity`.
   */
  readonly who: string;
  /** Phrase that replaces `does not have required permissions` in errors about disk encryption sets. */
  readonly ofDiskEncryptionSet?: string;
}

const principals = {
  cluster: { code: "InvalidServicePrincipalPermissions", name: "cluster service principal" },
  service: { code: "InvalidResourceProviderPermissions", name: "resource provider service principal" },
} as const satisfies Record<Role, { code: CloudErrorCode; name: string }>;

/** Returns a subject for the service principal with which `azure` is signed in. */
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
  /**
   * Missing permission. The error has the same code as Azure's error, so that the retry rules treat both the same way. New
   * permissions take minutes to propagate.
   */
  AuthorizationFailed: { retry: "backoff" },
});

/**
 * Checks that a subject may perform the required actions on a resource.
 * @throws CloudError for a missing permission or resource. If the permission may still propagate, the error's cause is an
 * authorization error of Azure.
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

/** Returns the error that the customer receives for a missing permission. */
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

/**
 * Returns the original error of a missing permission, for `cause`. The retry rules recognize it and retry, because Azure may
 * propagate the permission within minutes.
 */
export function missingRight(message: string): Error {
  return errors.AuthorizationFailed(message);
}
