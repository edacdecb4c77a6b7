import { Button } from "@patternfly/react-core";
import { type FormEvent, useState } from "react";
import type { ClustersView } from "../../api/clusters.ts";
import { Field } from "../display/field.tsx";
import { Failure } from "../display/query-view.tsx";
import { Select } from "../display/select.tsx";
import { useChange } from "../requests/use-change.ts";

interface NewClusterFormProps {
  readonly choices: ClustersView;
  readonly onDone: () => void;
}

const visibilities = ["Public", "Private"] as const;
const same = (values: readonly string[]) => Object.fromEntries(values.map((each) => [each, each]));

/** Form that creates a cluster, and the application, resource group and subnets of this cluster. */
export function NewClusterForm({ choices, onDone }: NewClusterFormProps) {
  const create = useChange("clusters");
  const [name, setName] = useState("");
  const [workers, setWorkers] = useState("3");
  const [version, setVersion] = useState(choices.versions[0] ?? "");
  const [masterSize, setMasterSize] = useState(choices.masterSizes[0] ?? "");
  const [workerSize, setWorkerSize] = useState(choices.workerSizes[0] ?? "");
  const [visibility, setVisibility] = useState<string>(visibilities[0]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const body = { name, version, masterSize, workerSize, workers: Number(workers), visibility };
    create.mutate({ method: "POST", path: "/api/clusters", body }, { onSuccess: onDone });
  };
  return (
    <form className="panel" onSubmit={submit}>
      <div className="fields">
        <Field label="Name" value={name} onChange={setName} isRequired />
        <Select label="Version" value={version} onChange={setVersion} options={same(choices.versions)} />
        <Select
          label="Masters"
          value={masterSize}
          onChange={setMasterSize}
          options={same(choices.masterSizes)}
        />
        <Select
          label="Worker size"
          value={workerSize}
          onChange={setWorkerSize}
          options={same(choices.workerSizes)}
        />
        <Field label="Workers" value={workers} onChange={setWorkers} isInvalid={!/^\d{1,2}$/.test(workers)} />
        <Select label="Visibility" value={visibility} onChange={setVisibility} options={same(visibilities)} />
      </div>
      {create.error && <Failure error={create.error} title="Cannot create the cluster" />}
      <div className="actions">
        <Button type="submit" isDisabled={name === "" || create.isPending} isLoading={create.isPending}>
          Create
        </Button>
        <Button variant="link" onClick={onDone}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
