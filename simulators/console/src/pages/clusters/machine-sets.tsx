import { Button } from "@patternfly/react-core";
import { type FormEvent, useState } from "react";
import type { ClusterView, MachineSetView } from "../../api/clusters.ts";
import { Field } from "../display/field.tsx";
import { Failure } from "../display/query-view.tsx";
import { useChange } from "../requests/use-change.ts";

interface MachineSetsProps {
  readonly path: string;
  readonly view: ClusterView;
}

/** Shows the machine sets and their replicas. */
export function MachineSets({ path, view }: MachineSetsProps) {
  return (
    <section className="wide">
      <h3>Machine sets</h3>
      {view.machineSets.length === 0 && <p className="empty">The cluster has no machine sets.</p>}
      {view.machineSets.map((machineSet) => (
        <MachineSetForm key={machineSet.name} path={path} machineSet={machineSet} />
      ))}
    </section>
  );
}

function MachineSetForm({
  path,
  machineSet,
}: {
  readonly path: string;
  readonly machineSet: MachineSetView;
}) {
  const scale = useChange("clusters");
  const { name, replicas, readyReplicas } = machineSet;
  const [text, setText] = useState(String(replicas));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    scale.mutate({
      method: "POST",
      path: `${path}/scale`,
      body: { machineSet: name, replicas: Number(text) },
    });
  };
  return (
    <form className="row" onSubmit={submit}>
      <Field
        label={name}
        hint={`${readyReplicas} of ${replicas} ready`}
        value={text}
        onChange={setText}
        isInvalid={!/^\d{1,3}$/.test(text)}
      />
      <Button
        type="submit"
        variant="secondary"
        aria-label={`Scale ${name}`}
        isDisabled={scale.isPending || !/^\d{1,3}$/.test(text)}
      >
        Scale
      </Button>
      {scale.error && <Failure error={scale.error} title={`Cannot scale ${name}`} />}
    </form>
  );
}
