import type { ReactNode } from "react";
import { ConfirmButton } from "../display/confirm-button.tsx";
import { Failure } from "../display/query-view.tsx";
import { useChange } from "../requests/use-change.ts";

interface DeleteResourceProps {
  readonly id: string;
  readonly name: string;
  readonly children: ReactNode;
}

/** Button that deletes a resource or a resource group. */
export function DeleteResource({ id, name, children }: DeleteResourceProps) {
  const change = useChange("resources");
  const path = `/api/resource?${new URLSearchParams({ id })}`;
  return (
    <>
      <ConfirmButton
        label={`Delete ${name}`}
        isDisabled={change.isPending}
        onConfirm={() => change.mutate({ method: "DELETE", path })}
      >
        {children}
      </ConfirmButton>
      {change.error && <Failure error={change.error} title={`Cannot delete ${name}`} />}
    </>
  );
}
