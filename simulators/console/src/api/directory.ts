export interface ApplicationView {
  readonly displayName: string;
  readonly clientId: string;
  readonly secrets: number;
  readonly certificates: number;
}

export interface RoleAssignmentView {
  readonly id: string;
  readonly principal: string;
  readonly principalType: string;
  readonly role: string;
  readonly scope: string;
}

export interface DirectoryView {
  readonly applications: readonly ApplicationView[];
  readonly roleAssignments: readonly RoleAssignmentView[];
  /** True if the directory has more entries than returned. */
  readonly isCut: boolean;
}
