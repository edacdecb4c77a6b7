import { Button } from "@patternfly/react-core";
import { type FormEvent, useState } from "react";
import { Field } from "../display/field.tsx";
import { Failure } from "../display/query-view.tsx";
import { useChange } from "../requests/use-change.ts";

export function NewGroupForm() {
  const create = useChange("resources");
  const [name, setName] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate({ method: "POST", path: "/api/groups", body: { name } }, { onSuccess: () => setName("") });
  };
  return (
    <form className="row" onSubmit={submit}>
      <Field label="New resource group" value={name} onChange={setName} />
      <Button type="submit" isDisabled={name === "" || create.isPending}>
        Create group
      </Button>
      {create.error && <Failure error={create.error} title="Cannot create the group" />}
    </form>
  );
}
