import type { Maintenance, NewActionRequest } from "@keelson/portal-api";
import { Button, FormSelect, FormSelectOption, TextInput } from "@patternfly/react-core";
import { type FormEvent, useState } from "react";
import { Labelled } from "../display/labelled.tsx";
import { ReasonInput, reasonOf } from "../display/reason-input.tsx";

interface PlanFormProps {
  readonly tasks: Maintenance["tasks"];
  readonly isDisabled: boolean;
  readonly onPlan: (request: NewActionRequest) => void;
}

/** Form with which a person plans a maintenance task and its earliest start time. */
export function PlanForm({ tasks, isDisabled, onPlan }: PlanFormProps) {
  const [task, setTask] = useState("");
  const [from, setFrom] = useState("");
  const [reason, setReason] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onPlan({
      action: "PUT maintenancemanifests",
      query: {},
      body: { maintenanceTaskID: task, ...(from === "" ? {} : { runAfter: Date.parse(`${from}Z`) / 1_000 }) },
      ...reasonOf(reason),
    });
  };
  return (
    <form className="toolbar" aria-label="Plan maintenance" onSubmit={submit}>
      <Labelled label="Task" htmlFor="maintenance-task">
        <FormSelect id="maintenance-task" value={task} onChange={(_, value) => setTask(value)}>
          <FormSelectOption value="" label="Choose a task" />
          {tasks.map(({ id, name }) => (
            <FormSelectOption key={id} value={id} label={name} />
          ))}
        </FormSelect>
      </Labelled>
      <Labelled label="Not before (UTC), now if empty" htmlFor="maintenance-from">
        <TextInput
          id="maintenance-from"
          type="datetime-local"
          value={from}
          onChange={(_, value) => setFrom(value)}
        />
      </Labelled>
      <Labelled label="Reason" htmlFor="maintenance-reason">
        <ReasonInput id="maintenance-reason" value={reason} onChange={setReason} />
      </Labelled>
      <Button type="submit" isDisabled={isDisabled || task === ""}>
        Review
      </Button>
    </form>
  );
}
